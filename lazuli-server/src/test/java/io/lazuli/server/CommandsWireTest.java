package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.admin.AdminToken;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends commands to the admin port of a server with data on disk. */
class CommandsWireTest {
  @TempDir private Path folder;
  private LazuliServer server;
  private String token;

  @BeforeEach
  void start() throws IOException {
    server = LazuliServer.start(ServerConfig.builder().freePorts().dataFolder(folder).build());
    token = "Authorization: " + Objects.requireNonNull(AdminToken.read(folder)).authorization();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void theHolderOfTheTokenRunsACommand() throws IOException {
    Answer answer = post("backup-progress", "{}", token);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"state\":\"none\"}");
    assertThat(post("backup-progress", "", token).status()).isEqualTo(200);
  }

  @Test
  void aStrangerLearnsNothing() throws IOException {
    for (String name : new String[] {"backup-progress", "absent"}) {
      assertThat(post(name, "{}").status()).isEqualTo(403);
      assertThat(post(name, "{}", token + "0").status()).isEqualTo(403);
      assertThat(post(name, "{}", token.substring(0, token.length() - 1)).status()).isEqualTo(403);
      assertThat(post(name, "{}", "Authorization: Bearer").status()).isEqualTo(403);
    }
  }

  @Test
  void webPagesAndOtherHostsAreRefused() throws IOException {
    assertThat(post("backup-progress", "{}", token, "Origin: http://localhost").status())
        .isEqualTo(403);
    assertThat(post("backup-progress", "{}", token, "Sec-Fetch-Site: same-origin").status())
        .isEqualTo(403);
    assertThat(ask("POST", "backup-progress", "elsewhere.example", "{}", token).status())
        .isEqualTo(421);
  }

  @Test
  void whatIsNotACommandIsRefused() throws IOException {
    assertThat(post("absent", "{}", token).status()).isEqualTo(404);
    assertThat(post("", "{}", token).status()).isEqualTo(404);
    assertThat(ask("GET", "backup-progress", "localhost", "", token).status()).isEqualTo(405);
    for (String body :
        new String[] {"[]", "{", "{\"a\":1}", "{\"a\":\"1\",\"a\":\"2\"}", "{} {}"}) {
      assertThat(post("backup-progress", body, token).status()).as(body).isEqualTo(400);
    }
    String longer = "{\"a\":\"" + "x".repeat(Limits.COMMAND_BODY_BYTES_MAX) + "\"}";
    assertThat(post("backup-progress", longer, token).status()).isEqualTo(413);
  }

  @Test
  void theTokenIsForItsOwnerOnlyAndChangesWithEveryStart() throws IOException {
    Path file = folder.resolve("admin-token");
    if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
    server.close();
    assertThat(file).doesNotExist();
    String old = token;
    start();
    assertThat(token).isNotEqualTo(old);
    assertThat(post("backup-progress", "{}", old).status()).isEqualTo(403);
  }

  private Answer post(String name, String body, String... headers) throws IOException {
    return ask("POST", name, "localhost", body, headers);
  }

  private Answer ask(String method, String name, String host, String body, String... headers)
      throws IOException {
    StringBuilder head = new StringBuilder(method + " /commands/" + name + " HTTP/1.1\r\n");
    head.append("Host: ").append(host).append("\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    head.append("Content-Length: ").append(body.length()).append("\r\n\r\n");
    try (RawConnection admin = new RawConnection(server.adminPort())) {
      return admin.ask(head + body);
    }
  }
}
