package io.lazuli.server.blob.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
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
  void name() {
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
    String prefix = blob.substring(CONTAINER.length() + 1);
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

  private String put(String content) {
    Answer answer = server.owner("PUT", blob, content, BlobWire.BLOCK_BLOB);
    assertThat(answer.status()).isEqualTo(201);
    return answer.header(VERSION);
  }

  private void refused(String verb, String query, int status, String code) {
    BlobWire.assertRefused(server.owner(verb, blob + query, ""), status, code);
  }
}
