package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The clock of the machine jumps by a day, forward and back. */
class ClockJumpTest {
  private static final long SECOND = Ticks.PER_SECOND;
  private static final long DAY = 86_400 * SECOND;
  private static final Pattern ETAG_TIME = Pattern.compile("datetime'([^']+)'");
  private static final String NONE = "Accept: application/json;odata=nometadata";

  private LazuliServer server;

  @BeforeEach
  void start() {
    FixtureEngineProvider.CLOCK.set(Ticks.systemNow());
    server =
        LazuliServer.start(
            ServerConfig.builder()
                .engine("fixture")
                .dataFolder(Path.of("target", "clocked"))
                .freePorts()
                .build());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void etagsOfAnEntityRiseAndNeverRepeat() throws IOException {
    try (WireServer tables = WireServer.onTables(server)) {
      tables.owner("POST", "/Tables", "{\"TableName\":\"times\"}", NONE, json());
      List<Instant> times = new ArrayList<>();
      for (long jump : new long[] {0, DAY, -DAY, -DAY, 0, DAY, 3 * DAY, -3 * DAY}) {
        FixtureEngineProvider.CLOCK.addAndGet(jump);
        for (int i = 0; i < 3; i++) {
          Answer put =
              tables.owner("PUT", "/times(PartitionKey='p',RowKey='r')", "{\"V\":1}", NONE, json());
          times.add(time(put.header("ETag")));
        }
      }
      assertThat(times).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void aHiddenMessageIsVisibleAfterAJumpForwardAndItsReceiptIsOld() throws IOException {
    try (WireServer queues = WireServer.onQueues(server)) {
      queues.owner("PUT", "/work", "");
      queues.owner(
          "POST", "/work/messages", "<QueueMessage><MessageText>1</MessageText></QueueMessage>");
      String get = "/work/messages?visibilitytimeout=60";
      assertThat(queues.owner("GET", get, "").body()).contains("<DequeueCount>1<");
      assertThat(queues.owner("GET", get, "").body()).doesNotContain("<MessageText>");
      FixtureEngineProvider.CLOCK.addAndGet(DAY);
      assertThat(queues.owner("GET", get, "").body()).contains("<DequeueCount>2<");
      FixtureEngineProvider.CLOCK.addAndGet(-DAY);
      assertThat(queues.owner("GET", get, "").body()).doesNotContain("<MessageText>");
      FixtureEngineProvider.CLOCK.addAndGet(DAY + 61 * SECOND);
      assertThat(queues.owner("GET", get, "").body()).contains("<DequeueCount>3<");
    }
  }

  @Test
  void aLeaseEndsAfterAJumpForwardAndIsKeptAfterOneBack() throws IOException {
    try (WireServer blobs = WireServer.onBlobs(server)) {
      blobs.owner("PUT", "/docs?restype=container", "");
      blobs.owner("PUT", "/docs/b", "x", "x-ms-blob-type: BlockBlob");
      String[] acquire = {"x-ms-lease-action: acquire", "x-ms-lease-duration: 60"};
      assertThat(blobs.owner("PUT", "/docs/b?comp=lease", "", acquire).status()).isEqualTo(201);
      FixtureEngineProvider.CLOCK.addAndGet(-DAY);
      assertThat(blobs.owner("PUT", "/docs/b?comp=lease", "", acquire).status()).isEqualTo(409);
      assertThat(blobs.owner("PUT", "/docs/b", "y", "x-ms-blob-type: BlockBlob").status())
          .isEqualTo(412);
      FixtureEngineProvider.CLOCK.addAndGet(2 * DAY);
      assertThat(blobs.owner("PUT", "/docs/b?comp=lease", "", acquire).status()).isEqualTo(201);
    }
  }

  private static String json() {
    return "Content-Type: application/json";
  }

  /** Returns the time in an ETag. */
  private static Instant time(String etag) {
    Matcher time = ETAG_TIME.matcher(URLDecoder.decode(etag, StandardCharsets.UTF_8));
    assertThat(time.find()).as(etag).isTrue();
    return Instant.parse(time.group(1));
  }
}
