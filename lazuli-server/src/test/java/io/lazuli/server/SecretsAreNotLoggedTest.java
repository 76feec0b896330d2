package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import io.lazuli.server.account.AccountFile;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.server.http.TestRequests;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Runs a session with accounts, keys and tokens, with everything logged. */
class SecretsAreNotLoggedTest {
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final Collector collector = new Collector();
  private final List<String> secrets = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();
  private Level before = Level.WARN;
  private Appender<ILoggingEvent> console = collector;

  @TempDir private Path folder;

  @BeforeEach
  void logEverything() {
    before = root.getLevel();
    console = root.getAppender("console");
    root.detachAppender(console);
    collector.start();
    root.addAppender(collector);
    root.setLevel(Level.TRACE);
  }

  @AfterEach
  void logAsBefore() {
    root.setLevel(before);
    root.detachAppender(collector);
    root.addAppender(console);
  }

  @Test
  void neitherLogsNorAnswersNorTextsHoldKeysOrSignatures() throws IOException {
    AccountFile file = AccountFile.inside(folder);
    AccountKey first = key();
    AccountKey second = key();
    file.edit(set -> set.add("contoso", first, second));
    ServerConfig config =
        ServerConfig.builder().engine("memory").accountsFile(file.path()).freePorts().build();
    try (LazuliServer server = LazuliServer.start(config)) {
      AccountClient client = new AccountClient(server.tablePort(), "contoso", first);
      keep(client.createTable("Staff"));
      keep(client.insert("Staff", "1", "x"));
      keep(client.get("/Staff()?$filter=nonsense"));
      String token = client.tableToken("Staff");
      String signature = token.substring(token.indexOf("sig=") + 4);
      secrets.add(signature);
      secrets.add(URLDecoder.decode(signature, StandardCharsets.UTF_8));
      keep(client.holder("GET", "/Staff()", token));
      keep(client.holder("GET", "/Staff()?$filter=nonsense", token));
      keep(client.holder("DELETE", "/Tables('Staff')", token));
      keep(tokenWithAKey(server.queuePort(), token));
      keep(copyWithAKey(server.blobPort(), token));
      for (String name : List.of("%73ig=", "SIG=", "sig%3D", "amp;sig=", "amp;%53IG%3D")) {
        keep(client.holder("GET", "/Staff()", token.replace("sig=", name)));
      }
      keep(client.anybody("GET", "/Staff()%3F" + token.replace("&", "%26").replace("=", "%3D")));
      keep(client.holder("GET", "/Staff()", token.replace("sp=r", "sp=raud")));
      AccountKey third = key();
      file.edit(set -> set.rotate("contoso", 1, third));
      await().until(() -> client.get("/Tables").status() == 403);
      keep(client.holder("GET", "/Staff()", token));
      answers.add(config.toString() + file.read() + file.read().require("contoso"));
      Files.writeString(file.path(), Files.readString(file.path()).replace("enabled", "opened"));
      await().until(() -> collector.lines.stream().anyMatch(line -> line.contains("is refused")));
      answers.add(TestRequests.of("GET", "/contoso/Staff()?" + token).toString());
    }
    assertThat(collector.lines).anyMatch(line -> line.contains("string to sign"));
    assertThat(collector.lines).anyMatch(line -> line.contains("\\nsig:XXXXX"));
    assertThat(collector.lines).anyMatch(line -> line.contains("x-ms-copy-source:http"));
    assertThat(collector.lines)
        .anyMatch(line -> line.contains("the previous accounts stay in force"));
    assertThat(secrets).hasSizeGreaterThan(4);
    for (String secret : secrets) {
      assertThat(collector.lines).noneMatch(line -> line.contains(secret));
      assertThat(answers).noneMatch(line -> line.contains(secret));
    }
  }

  /**
   * Sends a token together with an Authorization header. The queue service signs the whole query.
   */
  private static Answer tokenWithAKey(int port, String token) throws IOException {
    try (RawConnection connection = new RawConnection(port)) {
      return connection.ask(
          "GET /contoso/?comp=list&%s HTTP/1.1\r\nHost: localhost\r\nx-ms-date: %s\r\n%s\r\n\r\n"
              .formatted(
                  token, HttpDate.format(Instant.now()), "Authorization: SharedKey contoso:x"));
    }
  }

  /** Sends a signed copy. The blob service signs the URL of the source, which has a token. */
  private static Answer copyWithAKey(int port, String token) throws IOException {
    String source = "http://localhost/contoso/c/a?";
    try (RawConnection connection = new RawConnection(port)) {
      return connection.ask(
          String.join(
              "\r\n",
              "PUT /contoso/c/b HTTP/1.1",
              "Host: localhost",
              "x-ms-date: " + HttpDate.format(Instant.now()),
              "x-ms-copy-source: " + source + token,
              "x-ms-meta-from: " + source + token.replace("sig=", "%2573ig%253D"),
              "Authorization: SharedKey contoso:x",
              "Content-Length: 0",
              "",
              ""));
    }
  }

  private AccountKey key() {
    AccountKey key = AccountKey.random(new SecureRandom());
    secrets.add(key.base64());
    return key;
  }

  private void keep(Answer answer) {
    answers.add(answer.headers() + answer.body());
  }

  private static final class Collector extends AppenderBase<ILoggingEvent> {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent event) {
      IThrowableProxy thrown = event.getThrowableProxy();
      lines.add(
          event.getLoggerName()
              + " "
              + event.getFormattedMessage()
              + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown)));
    }
  }
}
