package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests and answers about blob versions (blob-features 3), on a server that keeps them. */
class VersionsWireTest {
  private static final String CONTAINER = "/docs";
  private static final String VERSION = "x-ms-version-id";
  private static final String CURRENT = "x-ms-is-current-version";

  private static WireServer server;
  private static int made;

  private String blob = "";

  @BeforeAll
  static void start() {
    server = WireServer.ofBlobVersions();
    assertThat(server.owner("PUT", CONTAINER + "?restype=container", "").status()).isEqualTo(201);
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void nextBlob() {
    blob = CONTAINER + "/b" + ++made;
  }

  @Test
  void writesAnswerWithTheirVersion() {
    String first = put("1");
    String second = put("2");
    assertThat(first).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{7}Z");
    assertThat(second).isGreaterThan(first);
    Answer metadata = server.owner("PUT", blob + "?comp=metadata", "", "x-ms-meta-a: b");
    assertThat(metadata.header(VERSION)).isGreaterThan(second);
    Answer snapshot = server.owner("PUT", blob + "?comp=snapshot", "");
    assertThat(snapshot.header(VERSION)).isGreaterThan(snapshot.header("x-ms-snapshot"));
    assertThat(server.owner("PUT", blob + "?comp=properties", "").header(VERSION)).isNull();
  }

  @Test
  void readsShowTheVersion() {
    String first = put("1");
    String second = put("2");
    Answer base = server.owner("GET", blob, "");
    assertThat(base.header(VERSION)).isEqualTo(second);
    assertThat(base.header(CURRENT)).isEqualTo("true");
    Answer previous = server.owner("GET", blob + "?versionid=" + first, "");
    assertThat(previous.status()).isEqualTo(200);
    assertThat(previous.body()).isEqualTo("1");
    assertThat(previous.header(VERSION)).isEqualTo(first);
    assertThat(previous.header(CURRENT)).isNull();
    assertThat(previous.header("x-ms-lease-state")).isNull();
    Answer current = server.owner("HEAD", blob + "?versionid=" + second, "");
    assertThat(current.header(CURRENT)).isEqualTo("true");
  }

  @Test
  void namesOfVersionsAreChecked() {
    String first = put("1");
    refused("GET", "?versionid=nonsense", 400, "InvalidQueryParameterValue");
    refused("GET", "?versionid=2020-01-01T00:00:00.0000000Z", 404, "BlobNotFound");
    refused(
        "GET",
        "?versionid=" + first + "&snapshot=" + first,
        400,
        "MutuallyExclusiveQueryParameters");
    refused("PUT", "?comp=metadata&versionid=" + first, 400, "InvalidQueryParameterValue");
    refused("PUT", "?comp=snapshot&versionid=" + first, 400, "InvalidQueryParameterValue");
  }

  @Test
  void versionsAreDeletedAndPromoted() {
    String first = put("1");
    String second = put("2");
    refused("DELETE", "?versionid=" + second, 403, "OperationNotAllowedOnRootBlob");
    Answer both =
        server.owner("DELETE", blob + "?versionid=" + first, "", "x-ms-delete-snapshots: include");
    assertThat(both.header("x-ms-error-code")).isEqualTo("InvalidQueryParameterValue");
    Answer copied =
        server.owner(
            "PUT",
            blob,
            "",
            "x-ms-copy-source: http://localhost/devstoreaccount1" + blob + "?versionid=" + first);
    assertThat(copied.status()).isEqualTo(202);
    assertThat(server.owner("GET", blob, "").body()).isEqualTo("1");
    Answer deleted = server.owner("DELETE", blob + "?versionid=" + first, "");
    assertThat(deleted.status()).isEqualTo(202);
    assertThat(deleted.header("x-ms-delete-type-permanent")).isEqualTo("true");
    assertThat(server.owner("DELETE", blob, "").header("x-ms-delete-type-permanent"))
        .isEqualTo("false");
    refused("GET", "", 404, "BlobNotFound");
    assertThat(server.owner("GET", blob + "?versionid=" + second, "").body()).isEqualTo("2");
  }

  @Test
  void versionsAreListedOldestFirst() {
    String first = put("1");
    String second = put("2");
    String prefix = name();
    String body =
        server
            .owner(
                "GET",
                CONTAINER + "?restype=container&comp=list&include=versions&prefix=" + prefix,
                "")
            .body();
    assertThat(body)
        .contains("<VersionId>" + first + "</VersionId><Properties>")
        .contains(
            "<VersionId>"
                + second
                + "</VersionId><IsCurrentVersion>true</IsCurrentVersion><Properties>");
    assertThat(body.indexOf(first)).isLessThan(body.indexOf(second));
    server.owner("DELETE", blob, "");
    assertThat(
            server
                .owner(
                    "GET",
                    CONTAINER
                        + "?restype=container&comp=list&include=deletedwithversions&prefix="
                        + prefix,
                    "")
                .body())
        .contains("<HasVersionsOnly>true</HasVersionsOnly><Properties>")
        .contains("<Content-Length>0</Content-Length>");
  }

  @Test
  void everyVersionHasItsOwnTags() {
    String first = put("1", "x-ms-tags: wire=" + made + "a");
    String second = put("2");
    assertThat(tags("?comp=tags&versionid=" + first)).contains("<Value>" + made + "a</Value>");
    assertThat(tags("?comp=tags")).doesNotContain("<Tag>");

    assertThat(setTags("?comp=tags&versionid=" + first, made + "b").status()).isEqualTo(204);
    assertThat(tags("?comp=tags&versionid=" + first)).contains("<Value>" + made + "b</Value>");
    assertThat(tags("?comp=tags")).doesNotContain("<Tag>");
    assertThat(found(made + "b")).doesNotContain("<Name>");

    assertThat(setTags("?comp=tags&versionid=" + second, made + "c").status()).isEqualTo(204);
    assertThat(tags("?comp=tags")).contains("<Value>" + made + "c</Value>");
    assertThat(found(made + "c")).contains("<Name>" + name() + "</Name>");
    String unknown = "?comp=tags&versionid=2020-01-01T00:00:00.0000000Z";
    BlobWire.assertRefused(setTags(unknown, "d"), 404, "BlobNotFound");
    BlobWire.assertRefused(
        setTags("?comp=tags&versionid=" + first, "d", "x-ms-if-tags: wire='none'"),
        412,
        "ConditionNotMet");
    assertThat(tags("?comp=tags&versionid=" + first)).contains("<Value>" + made + "b</Value>");
  }

  @Test
  void aPromotedVersionBringsItsTags() {
    String first = put("1", "x-ms-tags: wire=" + made + "a");
    put("2", "x-ms-tags: wire=" + made + "b");
    String source = "x-ms-copy-source: http://localhost/devstoreaccount1" + blob;
    server.owner("PUT", blob, "", source + "?versionid=" + first);
    assertThat(tags("?comp=tags")).contains("<Value>" + made + "a</Value>");
    assertThat(found(made + "a")).contains("<Name>" + name() + "</Name>");
    assertThat(found(made + "b")).doesNotContain("<Name>");

    server.owner("PUT", blob, "", source + "?versionid=" + first, "x-ms-tags: wire=given");
    assertThat(tags("?comp=tags")).contains("<Value>given</Value>");
    server.owner("PUT", blob, "", source);
    assertThat(tags("?comp=tags")).doesNotContain("<Tag>");
  }

  @Test
  void thePagesOfAVersionStay() {
    String[] create = {"x-ms-blob-type: PageBlob", "x-ms-blob-content-length: 2048"};
    String[] write = {"x-ms-page-write: update", "x-ms-range: bytes=512-1023"};
    assertThat(server.owner("PUT", blob, "", create).status()).isEqualTo(201);
    server.owner("PUT", blob + "?comp=page", "x".repeat(512), write);
    String first = server.owner("PUT", blob + "?comp=metadata", "").header(VERSION);
    server.owner("PUT", blob + "?comp=metadata", "", "x-ms-meta-a: b");
    server.owner(
        "PUT", blob + "?comp=page", "", "x-ms-page-write: clear", "x-ms-range: bytes=512-1023");
    String pages = "?comp=pagelist";
    assertThat(server.owner("GET", blob + pages, "").body()).contains("<PageList />");
    assertThat(server.owner("GET", blob + pages + "&versionid=" + first, "").body())
        .contains("<PageRange><Start>512</Start><End>1023</End></PageRange>");
    assertThat(server.owner("GET", blob + "?versionid=" + first, "").body())
        .isEqualTo("\0".repeat(512) + "x".repeat(512) + "\0".repeat(1_024));
    refused("GET", pages + "&versionid=2020-01-01T00:00:00.0000000Z", 404, "BlobNotFound");
  }

  @Test
  void aLeaseBelongsToTheBlobAndNotToItsVersions() {
    String first = put("1");
    put("2");
    Answer leased =
        server.owner(
            "PUT",
            blob + "?comp=lease",
            "",
            "x-ms-lease-action: acquire",
            "x-ms-lease-duration: -1");
    String lease = "x-ms-lease-id: " + leased.header("x-ms-lease-id");
    BlobWire.assertRefused(
        server.owner("PUT", blob, "3", BlobWire.BLOCK_BLOB), 412, "LeaseIdMissing");
    put("3", lease);
    assertThat(server.owner("GET", blob, "", lease).header("x-ms-lease-state")).isEqualTo("leased");
    refused("DELETE", "", 412, "LeaseIdMissing");
    assertThat(server.owner("DELETE", blob + "?versionid=" + first, "").status()).isEqualTo(202);
  }

  private String name() {
    return blob.substring(CONTAINER.length() + 1);
  }

  private Answer setTags(String query, String value, String... headers) {
    return server.owner(
        "PUT",
        blob + query,
        "<Tags><TagSet><Tag><Key>wire</Key><Value>" + value + "</Value></Tag></TagSet></Tags>",
        headers);
  }

  private String tags(String query) {
    Answer answer = server.owner("GET", blob + query, "");
    assertThat(answer.status()).isEqualTo(200);
    return answer.body();
  }

  private static String found(String value) {
    String where = WireServer.encoded("wire='" + value + "'");
    return server
        .owner("GET", CONTAINER + "?restype=container&comp=blobs&where=" + where, "")
        .body();
  }

  private String put(String content, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add(BlobWire.BLOCK_BLOB);
    Answer answer = server.owner("PUT", blob, content, all.toArray(String[]::new));
    assertThat(answer.status()).isEqualTo(201);
    return answer.header(VERSION);
  }

  private void refused(String verb, String query, int status, String code) {
    BlobWire.assertRefused(server.owner(verb, blob + query, ""), status, code);
  }
}
