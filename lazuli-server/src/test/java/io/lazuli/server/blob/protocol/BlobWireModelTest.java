package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.FixtureEngineProvider;
import io.lazuli.server.WireServer;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.fuzz.Fuzz;
import java.io.IOException;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random histories of a container and its blobs on the wire, with random conditions, lease ids and
 * times, compared with a model of the tables of blob-rest 4 and 5. The state is compared after
 * every request, so a refused request must change nothing.
 */
class BlobWireModelTest {
  private static final int STEPS = 250;

  private static WireServer server;
  private static int made;

  @BeforeAll
  static void start() {
    FixtureEngineProvider.CLOCK.set(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
    server = WireServer.ofBlobsWithClock();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void historiesOfBlobsEqualTheModel() {
    int[] done = new int[2];
    Fuzz.run(
        5,
        random -> random,
        random -> {
          String container = "/model-" + ++made;
          server.owner("PUT", container + "?restype=container", "");
          ModelledBlob block = new ModelledBlob(server, container, "block", "BlockBlob");
          ModelledBlob log = new ModelledBlob(server, container, "log", "AppendBlob");
          for (int i = 0; i < STEPS; i++) {
            pass(random);
            boolean happened = (random.nextInt(3) > 0 ? block : log).step(random);
            done[happened ? 1 : 0]++;
          }
        });
    assertThat(done[1]).isGreaterThan(done[0] / 3);
  }

  @Test
  void historiesOfContainersEqualTheModel() {
    Fuzz.run(
        8,
        random -> random,
        random -> {
          ModelledContainer container = new ModelledContainer(server, "/model-" + ++made);
          for (int i = 0; i < STEPS; i++) {
            pass(random);
            container.step(random);
          }
        });
  }

  /**
   * Advances the clock by a millisecond, and sometimes by seconds, so that no request arrives
   * exactly when a lease ends.
   */
  private static void pass(Random random) {
    int seconds = random.nextInt(3) > 0 ? 0 : random.nextInt(12);
    FixtureEngineProvider.CLOCK.addAndGet(seconds * Ticks.PER_SECOND + Ticks.PER_SECOND / 1_000);
  }
}
