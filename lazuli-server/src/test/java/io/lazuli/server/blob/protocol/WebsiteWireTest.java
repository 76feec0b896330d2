package io.lazuli.server.blob.protocol;

import static io.lazuli.server.blob.protocol.BlobWire.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The static website (blob-features 4.2): its settings, its listener, and what it shows. */
class WebsiteWireTest {
  private static final String PROPERTIES = "?restype=service&comp=properties";
  private static final String BLOCK_BLOB = "x-ms-blob-type: BlockBlob";

  private static LazuliServer running;
  private static WireServer server;

  @BeforeAll
  static void start() {
    running =
        LazuliServer.start(
            ServerConfig.builder()
                .engine("memory")
                .freePorts()
                .webPort(0)
                .containerRetentionDays(7)
                .build());
    server = WireServer.onBlobs(running);
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    running.close();
  }

  @BeforeEach
  void publish() {
    set(
        "<Enabled>true</Enabled><IndexDocument>index.html</IndexDocument>"
            + "<ErrorDocument404Path>errors/404.html</ErrorDocument404Path>");
    put("index.html", "home");
    put("dir/index.html", "directory");
    put(
        "a b.css",
        "style",
        "x-ms-blob-content-type: text/css",
        "x-ms-blob-cache-control: max-age=9");
    put("errors/404.html", "lost", "x-ms-blob-content-type: text/html");
  }

  private static void set(String website) {
    String change =
        "<StorageServiceProperties><StaticWebsite>"
            + website
            + "</StaticWebsite></StorageServiceProperties>";
    assertThat(server.owner("PUT", PROPERTIES, change).status()).isEqualTo(202);
  }

  private static void put(String name, String content, String... headers) {
    String[] all = Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] = BLOCK_BLOB;
    String path = "/$web/" + name.replace(" ", "%20");
    assertThat(server.owner("PUT", path, content, all).status()).isEqualTo(201);
  }

  /** Sends a request to the website, in path style. */
  private static Answer ask(String method, String path, String... headers) {
    return send(method, "/devstoreaccount1" + path, "localhost", headers);
  }

  private static Answer send(String method, String target, String host, String... headers) {
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: " + host);
    for (String header : headers) {
      head.append("\r\n").append(header);
    }
    head.append("\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    try (RawConnection connection = new RawConnection(running.webPort())) {
      connection.send(head.toString());
      return method.equals("HEAD") ? connection.answerWithoutBody() : connection.answer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'',home",
    "/,home",
    "/index.html,home",
    "/dir/,directory",
    "/dir,directory",
    "/a%20b.css,style",
    "/a%20b.css?comp=list&sig=wrong,style",
  })
  void pathsAreBlobs(String path, String content) {
    Answer answer = ask("GET", path, "Authorization: nonsense", "x-ms-version: nonsense");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(content);
  }

  @Test
  void theWebsiteGoesAndReturnsWithItsContainer() {
    assertThat(server.owner("DELETE", "/$web?restype=container", "").status()).isEqualTo(202);
    assertThat(ask("GET", "/index.html").status()).isEqualTo(404);
    String list = server.owner("GET", "?comp=list&include=deleted", "").body();
    Matcher version = Pattern.compile("<Version>([0-9A-F]{16})</Version>").matcher(list);
    assertThat(version.find()).isTrue();
    Answer restored =
        server.owner(
            "PUT",
            "/$web?restype=container&comp=undelete",
            "",
            "x-ms-deleted-container-name: $web",
            "x-ms-deleted-container-version: " + version.group(1));
    assertThat(restored.status()).isEqualTo(201);
    assertThat(ask("GET", "/index.html").body()).isEqualTo("home");
  }

  @Test
  void theAccountMayBeInTheHost() {
    assertThat(send("GET", "/", "devstoreaccount1.web.localhost").body()).isEqualTo("home");
    assertThat(send("GET", "/", "devstoreaccount1.blob.localhost").status()).isEqualTo(404);
    assertRefused(send("GET", "/nobody/", "localhost"), 404, "ResourceNotFound");
    assertThat(send("GET", "/", "evil.example").status()).isBetween(400, 404);
  }

  @Test
  void aPageHasTheHeadersOfItsBlob() {
    Answer answer = ask("GET", "/a%20b.css", "Origin: http://a.example");
    assertThat(answer.header("Content-Type")).isEqualTo("text/css");
    assertThat(answer.header("Cache-Control")).isEqualTo("max-age=9");
    assertThat(answer.header("Accept-Ranges")).isEqualTo("bytes");
    assertThat(answer.header("Content-MD5")).isNotNull();
    assertThat(answer.header("Last-Modified")).isNotNull();
    for (String absent :
        List.of("x-ms-blob-type", "x-ms-lease-state", "Access-Control-Allow-Origin")) {
      assertThat(answer.header(absent)).as(absent).isNull();
    }
    Answer head = ask("HEAD", "/a%20b.css");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("Content-Length")).isEqualTo("5");
    assertThat(head.header("ETag")).isEqualTo(answer.header("ETag"));
  }

  @Test
  void rangesAndConditionsWork() {
    String etag = ask("GET", "/").header("ETag");
    Answer part = ask("GET", "/", "Range: bytes=1-2");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).isEqualTo("om");
    assertThat(part.header("Content-Range")).isEqualTo("bytes 1-2/4");
    assertThat(ask("GET", "/", "Range: bytes=9-").status()).isEqualTo(416);
    assertThat(ask("GET", "/", "If-None-Match: " + etag).status()).isEqualTo(304);
    assertThat(ask("GET", "/", "If-Match: \"0x1\"").status()).isEqualTo(412);
    assertThat(ask("GET", "/dir", "If-Match: \"0x1\"").status()).isEqualTo(412);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/none", "/none/", "/INDEX.html", "/dir/none", "/dir//"})
  void aMissingPageIsTheErrorDocument(String path) {
    Answer answer = ask("GET", path, "Range: bytes=1-2", "If-Match: \"0x1\"");
    assertRefused(answer, 404, "WebContentNotFound");
    assertThat(answer.body()).isEqualTo("lost");
    assertThat(answer.header("Content-Type")).isEqualTo("text/html");
    assertThat(ask("HEAD", path).status()).isEqualTo(404);
  }

  @Test
  void withoutAnErrorDocumentThereIsABuiltInPage() {
    set("<Enabled>true</Enabled><IndexDocument>index.html</IndexDocument>");
    Answer answer = ask("GET", "/none");
    assertRefused(answer, 404, "WebContentNotFound");
    assertThat(answer.body()).contains("<h1>404</h1>");
    assertThat(answer.header("Content-Type")).startsWith("text/html");
    assertThat(ask("GET", "/" + "x".repeat(2000)).status()).isEqualTo(404);
    assertThat(ask("GET", "/%01").status()).isEqualTo(404);
    assertThat(ask("GET", "/%zz").status()).isEqualTo(400);
  }

  @Test
  void onePageMayStandForAllDirectories() {
    put("app.html", "app");
    set("<Enabled>true</Enabled><DefaultIndexDocumentPath>app.html</DefaultIndexDocumentPath>");
    assertThat(ask("GET", "/").body()).isEqualTo("app");
    assertThat(ask("GET", "/any/where/").body()).isEqualTo("app");
    assertThat(ask("GET", "/any/where").status()).isEqualTo(404);
    String both =
        "<StorageServiceProperties><StaticWebsite><Enabled>true</Enabled><IndexDocument>a"
            + "</IndexDocument><DefaultIndexDocumentPath>b</DefaultIndexDocumentPath>"
            + "</StaticWebsite></StorageServiceProperties>";
    assertRefused(server.owner("PUT", PROPERTIES, both), 400, "InvalidXmlDocument");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "POST", "DELETE", "OPTIONS", "PATCH"})
  void pagesAreOnlyRead(String method) {
    assertRefused(
        ask(method, "/", "Origin: http://a.example", "Access-Control-Request-Method: GET"),
        405,
        "UnsupportedHttpVerb");
  }

  @Test
  void theWebsiteCanBeSwitchedOff() {
    String enabled = server.owner("GET", PROPERTIES, "").body();
    assertThat(enabled)
        .contains(
            "<StaticWebsite><Enabled>true</Enabled><IndexDocument>index.html</IndexDocument>"
                + "<ErrorDocument404Path>errors/404.html</ErrorDocument404Path></StaticWebsite>");
    set("<Enabled>false</Enabled>");
    assertRefused(ask("GET", "/"), 404, "WebsiteDisabled");
    assertThat(server.owner("GET", "/$web/index.html", "").body()).isEqualTo("home");
    assertThat(server.owner("GET", PROPERTIES, "").body())
        .contains("<StaticWebsite><Enabled>false</Enabled></StaticWebsite>");
  }

  /** The container is private at the blob port, and the blob port shows no pages. */
  @Test
  void theBlobPortIsSomethingElse() {
    assertThat(server.anybody("GET", "/$web/index.html", "").status()).isEqualTo(401);
    assertThat(server.anybody("GET", "/index.html", "").status()).isEqualTo(401);
    assertThat(server.owner("PUT", "/$web?restype=container", "").status()).isEqualTo(409);
    assertThat(server.owner("GET", "?comp=list", "").body()).contains("<Name>$web</Name>");
  }

  @Test
  void largePagesAreStreamed() {
    String large = "x".repeat(300_000);
    put("large", large);
    assertThat(ask("GET", "/large").body()).isEqualTo(large);
    assertThat(ask("GET", "/large", "Range: bytes=299990-").body()).isEqualTo("x".repeat(10));
  }
}
