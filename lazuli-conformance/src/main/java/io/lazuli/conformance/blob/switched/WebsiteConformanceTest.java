package io.lazuli.conformance.blob.switched;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.WireClient;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The static website of an account, which has a port of its own. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Tag("own-server")
class WebsiteConformanceTest {

  private static final String DOCUMENTS =
      "<IndexDocument>index.html</IndexDocument>"
          + "<ErrorDocument404Path>errors/404.html</ErrorDocument404Path>";

  private static ServerProcess server;
  private static int port;

  private ScratchContainer web;
  private AccountProperties properties;

  @BeforeAll
  static void start() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    server =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(),
            ServerProcess.temporaryFolder(),
            "--web-port",
            Integer.toString(port));
  }

  @AfterAll
  static void kill() {
    server.close();
  }

  @BeforeEach
  void publish() {
    WireClient wire = new WireClient(server.account(StorageService.BLOB));
    web = new ScratchContainer(wire, "$web");
    properties = AccountProperties.remember(wire);
    set("<Enabled>true</Enabled>" + DOCUMENTS);
    web.stored("index.html", "home");
    web.stored("dir/index.html", "directory");
    expect(
            web.put("a.css", "style")
                .header("x-ms-blob-content-type", "text/css")
                .header("x-ms-blob-cache-control", "max-age=9")
                .send())
        .status(201);
    expect(web.put("errors/404.html", "lost").header("x-ms-blob-content-type", "text/html").send())
        .status(201);
  }

  private void set(String website) {
    expect(properties.set("<StaticWebsite>" + website + "</StaticWebsite>")).status(202);
  }

  private HttpResponse<String> ask(String method, String path, String... headers) {
    URI uri = URI.create("http://127.0.0.1:" + port + "/devstoreaccount1" + path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Documented("blob-features 4.2: a blob with its stored headers, to anybody")
  void aBlobIsShownWithItsHeaders() {
    HttpResponse<String> shown = ask("GET", "/a.css");
    assertThat(shown.statusCode()).isEqualTo(200);
    assertThat(shown.body()).isEqualTo("style");
    assertThat(shown.headers().firstValue("Content-Type")).contains("text/css");
    assertThat(shown.headers().firstValue("Cache-Control")).contains("max-age=9");
    String tag = shown.headers().firstValue("ETag").orElse("");
    assertThat(ask("GET", "/a.css", "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(ask("GET", "/a.css", "If-Match", "\"0x1\"").statusCode()).isEqualTo(412);
    assertThat(ask("GET", "/a.css", "Range", "bytes=1-2").body()).isEqualTo("ty");
    assertThat(ask("HEAD", "/a.css").statusCode()).isEqualTo(200);
    assertThat(ask("GET", "/A.css").statusCode()).isEqualTo(404);
  }

  @Test
  @Documented("blob-features 4.2: the index document of each directory")
  void directoriesHaveAnIndex() {
    assertThat(ask("GET", "/").body()).isEqualTo("home");
    assertThat(ask("GET", "/dir/").body()).isEqualTo("directory");
    assertThat(ask("GET", "/dir").body()).isEqualTo("directory");
  }

  @Test
  @Documented("blob-features 4.2: the error document, with its own type")
  void whatIsMissingIsTheErrorDocument() {
    HttpResponse<String> lost = ask("GET", "/none");
    assertThat(lost.statusCode()).isEqualTo(404);
    assertThat(lost.body()).isEqualTo("lost");
    assertThat(lost.headers().firstValue("Content-Type")).contains("text/html");
    set("<Enabled>true</Enabled><IndexDocument>index.html</IndexDocument>");
    assertThat(ask("GET", "/none").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "/none").body()).doesNotContain("lost");
  }

  @Test
  @Documented("blob-features 4.2: one page for all directories")
  void oneIndexForAllDirectories() {
    set("<Enabled>true</Enabled><DefaultIndexDocumentPath>index.html</DefaultIndexDocumentPath>");
    assertThat(ask("GET", "/dir/").body()).isEqualTo("home");
  }

  @Test
  @Documented("blob-features 4.2: only reads, no CORS, nothing while it is off")
  void onlyReadsWhileItIsOn() {
    assertThat(ask("DELETE", "/a.css").statusCode()).isEqualTo(405);
    assertThat(ask("GET", "/a.css", "Origin", "http://a.example").headers().map())
        .doesNotContainKey("access-control-allow-origin");
    set("<Enabled>false</Enabled>");
    assertThat(ask("GET", "/a.css").statusCode()).isEqualTo(404);
    expect(web.get("a.css").send()).status(200);
  }
}
