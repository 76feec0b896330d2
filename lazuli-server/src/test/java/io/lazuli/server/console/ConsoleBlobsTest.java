package io.lazuli.server.console;

import static io.lazuli.server.ConsoleClient.encoded;
import static io.lazuli.server.console.ConsoleTablesTest.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.ConsoleClient;
import io.lazuli.server.http.RawConnection.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The routes about containers, blobs and their content. */
class ConsoleBlobsTest {
  private static final String PAGE = "<script>alert(1)</script>";

  private static ConsoleClient console;

  @BeforeAll
  static void start() {
    console = new ConsoleClient();
    assertThat(console.admin("POST", "/containers", "{\"name\":\"pictures\"}").status())
        .isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  private static Answer upload(String blob, String content, String... headers) {
    return console.admin(
        "PUT",
        "/containers/pictures/content?type=text/html&blob=" + encoded(blob),
        content,
        headers);
  }

  @Test
  void contentIsAlwaysAnAttachment() {
    assertThat(upload("evil.html", PAGE).status()).isEqualTo(201);
    String path = "/containers/pictures/content?blob=evil.html";
    Answer all = console.admin("GET", path, "");
    assertThat(all.body()).isEqualTo(PAGE);
    assertThat(all.header("content-type")).isEqualTo("application/octet-stream");
    assertThat(all.header("content-disposition")).isEqualTo("attachment");
    assertThat(all.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(all.header("content-security-policy")).contains("default-src 'none'");
    Answer part = console.admin("GET", path + "&range=1-6", "");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.body()).isEqualTo("script");
    assertThat(part.header("content-range")).isEqualTo("bytes 1-6/25");
    assertThat(console.admin("GET", path + "&range=9999-", "").status()).isEqualTo(416);
    assertThat(console.admin("GET", path + "&range=x", "").status()).isEqualTo(400);
    assertThat(upload("evil.html", "again", "If-None-Match: *").status()).isEqualTo(409);
  }

  @Test
  void listsHaveFoldersAndPages() {
    for (String name : List.of("list/a/1.txt", "list/b.txt", "list/c.txt")) {
      assertThat(upload(name, "x").status()).isEqualTo(201);
    }
    String list = "/containers/pictures/blobs?delimiter=%2F&prefix=list%2F&limit=2";
    Answer first = console.admin("GET", list, "");
    assertThat(first.body())
        .contains("{\"prefix\":\"list/a/\"}", "list/b.txt", "\"kind\":\"block\"")
        .doesNotContain("c.txt");
    Answer second = console.admin("GET", list + "&after=" + field(first, "next"), "");
    assertThat(second.body()).contains("list/c.txt", "\"next\":null");
    assertThat(
            console
                .admin("GET", "/containers/pictures/blobs?after=" + field(first, "next"), "")
                .body())
        .contains("InvalidToken");
    assertThat(console.admin("GET", "/containers/pictures/blobs?show=odd", "").status())
        .isEqualTo(400);
    assertThat(console.admin("GET", "/containers?prefix=pict", "").body())
        .contains("\"name\":\"pictures\"", "\"public\":\"none\"", "\"lease\":\"available\"");
  }

  @Test
  void anUploadInBlocksCanGoOn() {
    String blocks = "/containers/pictures/blocks?blob=large";
    assertThat(console.admin("PUT", blocks + "&id=YTE%3D", "first ").status()).isEqualTo(201);
    assertThat(console.admin("PUT", blocks + "&id=YTI%3D", "second").status()).isEqualTo(201);
    assertThat(console.admin("GET", blocks, "").body())
        .isEqualTo("{\"blocks\":[{\"id\":\"YTE=\",\"bytes\":6},{\"id\":\"YTI=\",\"bytes\":6}]}");
    Answer made =
        console.admin("POST", blocks, "{\"ids\":[\"YTE=\",\"YTI=\"],\"type\":\"text/plain\"}");
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    assertThat(console.admin("GET", "/containers/pictures/content?blob=large", "").body())
        .isEqualTo("first second");
  }

  @Test
  void propertiesMetadataAndTagsChange() {
    upload("props", "x");
    String path = "/containers/pictures/blob?blob=props";
    String etag = field(console.admin("GET", path, ""), "etag");
    String change =
        "{\"type\":\"text/css\",\"metadata\":{\"owner\":\"me\"},\"tags\":{\"state\":\"new\"}}";
    Answer changed = console.admin("PATCH", path, change, "If-Match: \"" + etag + "\"");
    assertThat(changed.status()).as(changed.body()).isEqualTo(200);
    assertThat(changed.body())
        .contains(
            "\"type\":\"text/css\"",
            "\"metadata\":{\"owner\":\"me\"}",
            "\"tags\":{\"state\":\"new\"}");
    assertThat(console.admin("PATCH", path, change, "If-Match: \"" + etag + "\"").status())
        .isEqualTo(412);
    for (String bad :
        List.of(
            "{\"type\":\"a\\r\\nX: y\"}",
            "{\"metadata\":{\"a b\":\"x\"}}",
            "{\"metadata\":{\"a\":\"x\\n\"}}")) {
      assertThat(console.admin("PATCH", path, bad, "If-Match: *").status()).as(bad).isEqualTo(400);
    }
  }

  @Test
  void snapshotsLeasesAndDeletion() {
    upload("snap", "x");
    String snapshot =
        field(console.admin("POST", "/containers/pictures/snapshots?blob=snap", ""), "snapshot");
    assertThat(
            console
                .admin("GET", "/containers/pictures/blobs?prefix=snap&show=snapshots", "")
                .body())
        .contains("\"snapshot\":\"" + snapshot + "\"");
    String path = "/containers/pictures/blob?blob=snap";
    assertThat(console.admin("DELETE", path, "").status()).isEqualTo(409);
    String lease = "/containers/pictures/lease?blob=snap";
    Answer acquired = console.admin("POST", lease, "{\"action\":\"acquire\",\"seconds\":60}");
    assertThat(acquired.body()).contains("\"state\":\"leased\"");
    assertThat(console.admin("DELETE", path + "&snapshots=include", "").status()).isEqualTo(412);
    assertThat(console.admin("POST", lease, "{\"action\":\"break\"}").body())
        .contains("\"state\":\"broken\"");
    assertThat(console.admin("DELETE", path + "&snapshots=include", "").status()).isEqualTo(204);
    assertThat(console.admin("GET", path, "").status()).isEqualTo(404);
  }

  @Test
  void hostileNamesPassAsData() {
    String name = "<img src=x onerror=alert(1)>/\u202e.html";
    assertThat(upload(name, "x").status()).isEqualTo(201);
    assertThat(console.admin("GET", "/containers/pictures/blobs?prefix=%3Cimg", "").body())
        .contains("\\u202E")
        .matches("[ -~]+");
    assertThat(console.admin("GET", "/containers/" + encoded("../x") + "/blobs", "").status())
        .isEqualTo(400);
  }
}
