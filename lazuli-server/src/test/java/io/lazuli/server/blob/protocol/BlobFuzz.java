package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WatchedLog;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A server with a container and a blob, and the checks of every answer to a damaged request: it has
 * the form of the protocol, and no fault is logged.
 */
abstract class BlobFuzz {
  static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";
  static final String CONTENT = "0123456789abcdefghijklmnopqrstuvwxyz";
  static final Pattern LISTED_NAME = Pattern.compile("<Name>([^<]*)</Name>");

  private final WatchedLog log = new WatchedLog();
  WireServer server;

  @BeforeEach
  void start() {
    server = WireServer.ofBlobs();
    created("/fuzzed?restype=container", "");
    created("/fuzzed/keep", CONTENT, BLOCK_BLOB);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    log.close();
    assertThat(log.faults()).isEmpty();
  }

  void created(String path, String body, String... headers) {
    assertThat(server.owner("PUT", path, body, headers).status()).isEqualTo(201);
  }

  String got(String path) {
    Answer answer = server.owner("GET", path, "");
    assertThat(answer.status()).as(path).isEqualTo(200);
    return answer.body();
  }

  /** Returns true for a success; a refusal must have the form of the protocol. */
  static boolean isAccepted(Answer answer) {
    String shown = answer.toString();
    assertThat(answer.header("x-ms-request-id")).as(shown).isNotEmpty();
    if (answer.status() < 300) {
      return true;
    }
    assertThat(answer.status() < 500 || answer.status() == 501).as(shown).isTrue();
    String code = answer.header("x-ms-error-code");
    assertThat(code).as(shown).isNotEmpty();
    assertThat(answer.header("Content-Type")).as(shown).isEqualTo("application/xml");
    assertThat(answer.body()).as(shown).contains("<Error><Code>" + code + "</Code><Message>");
    return false;
  }
}
