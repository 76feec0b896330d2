package io.lazuli.server.blob.protocol;

import static io.lazuli.server.blob.protocol.BlobWire.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.FixtureEngineProvider;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Immutability policies and legal holds (blob-features 6), with a clock that the tests move. */
class ImmutabilityWireTest {
  private static final String CONTAINER = "/docs";
  private static final String POLICY = "?comp=immutabilityPolicies";
  private static final String HOLD = "?comp=legalhold";
  private static final String UNTIL = "x-ms-immutability-policy-until-date";
  private static final String MODE = "x-ms-immutability-policy-mode";
  private static final String LEGAL_HOLD = "x-ms-legal-hold";
  private static final String BY_POLICY = "BlobImmutableDueToPolicy";
  private static final String BY_HOLD = "BlobImmutableDueToLegalHold";

  private static WireServer server;
  private static int made;

  private String blob = "";

  @BeforeAll
  static void start() {
    FixtureEngineProvider.CLOCK.set(Ticks.systemNow());
    server = WireServer.ofImmutability();
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
  void containersShowThatTheirBlobsCanHavePolicies() {
    String header = "x-ms-immutable-storage-with-versioning-enabled";
    assertThat(server.owner("HEAD", CONTAINER + "?restype=container", "").header(header))
        .isEqualTo("true");
    assertThat(server.owner("GET", "/?comp=list", "").body())
        .contains(
            "<ImmutableStorageWithVersioningEnabled>true</ImmutableStorageWithVersioningEnabled>");
  }

  @Test
  void aPolicyIsSetShownAndDeleted() {
    Answer put = put("1");
    String until = until(1);
    Answer set = server.owner("PUT", blob + POLICY, "", UNTIL + ": " + until, MODE + ": Unlocked");
    assertThat(set.status()).isEqualTo(200);
    assertThat(set.header(UNTIL)).isEqualTo(until);
    assertThat(set.header(MODE)).isEqualTo("unlocked");
    assertThat(set.header("ETag")).isNull();
    for (String verb : List.of("GET", "HEAD")) {
      Answer read = server.owner(verb, blob, "");
      assertThat(read.header(UNTIL)).isEqualTo(until);
      assertThat(read.header(MODE)).isEqualTo("unlocked");
      assertThat(read.header(LEGAL_HOLD)).isNull();
      assertThat(read.header("ETag")).isEqualTo(put.header("ETag"));
    }
    refused(409, BY_POLICY, "PUT", "?comp=metadata", "x-ms-meta-a: b");
    Answer deleted = server.owner("DELETE", blob + POLICY, "");
    assertThat(deleted.status()).isEqualTo(200);
    assertThat(server.owner("HEAD", blob, "").header(UNTIL)).isNull();
    assertThat(server.owner("PUT", blob + "?comp=metadata", "").status()).isEqualTo(200);
  }

  @Test
  void aHoldIsSetShownAndEnded() {
    put("1");
    Answer set = server.owner("PUT", blob + HOLD, "", LEGAL_HOLD + ": true");
    assertThat(set.status()).isEqualTo(200);
    assertThat(set.header(LEGAL_HOLD)).isEqualTo("true");
    assertThat(server.owner("GET", blob, "").header(LEGAL_HOLD)).isEqualTo("true");
    refused(409, BY_HOLD, "PUT", "?comp=properties");
    assertThat(server.owner("PUT", blob + HOLD, "", LEGAL_HOLD + ": FALSE").header(LEGAL_HOLD))
        .isEqualTo("false");
    assertThat(server.owner("HEAD", blob, "").header(LEGAL_HOLD)).isNull();
  }

  @Test
  void badHeadersChangeNothing() {
    put("1");
    refused(400, "MissingRequiredHeader", "PUT", POLICY);
    refused(400, "MissingRequiredHeader", "PUT", POLICY, MODE + ": locked");
    refused(400, "InvalidHeaderValue", "PUT", POLICY, UNTIL + ": tomorrow");
    refused(400, "InvalidHeaderValue", "PUT", POLICY, UNTIL + ": " + until(-1));
    refused(400, "InvalidHeaderValue", "PUT", POLICY, UNTIL + ": " + until(1), MODE + ": Mutable");
    refused(400, "MissingRequiredHeader", "PUT", HOLD);
    refused(400, "InvalidHeaderValue", "PUT", HOLD, LEGAL_HOLD + ": maybe");
    refused(
        412,
        "ConditionNotMet",
        "PUT",
        POLICY,
        UNTIL + ": " + until(1),
        "If-Unmodified-Since: Sat, 01 Jan 2000 00:00:00 GMT");
    refused(405, "UnsupportedHttpVerb", "GET", POLICY);
    refused(405, "UnsupportedHttpVerb", "DELETE", HOLD);
    assertThat(server.owner("HEAD", blob, "").header(UNTIL)).isNull();
    blob = CONTAINER + "/missing";
    refused(404, "BlobNotFound", "PUT", POLICY, UNTIL + ": " + until(1));
    refused(404, "BlobNotFound", "DELETE", POLICY);
    refused(404, "BlobNotFound", "PUT", HOLD, LEGAL_HOLD + ": true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"BlockBlob", "AppendBlob", "PageBlob"})
  void aNewBlobIsProtected(String type) {
    List<String> headers =
        new ArrayList<>(List.of("x-ms-blob-type: " + type, UNTIL + ": " + until(2)));
    headers.add(MODE + ": LOCKED");
    headers.add(LEGAL_HOLD + ": true");
    if (type.equals("PageBlob")) {
      headers.add("x-ms-blob-content-length: 512");
    }
    Answer put = server.owner("PUT", blob, "", headers.toArray(String[]::new));
    assertThat(put.status()).isEqualTo(201);
    Answer read = server.owner("HEAD", blob, "");
    assertThat(read.header(UNTIL)).isEqualTo(until(2));
    assertThat(read.header(MODE)).isEqualTo("locked");
    assertThat(read.header(LEGAL_HOLD)).isEqualTo("true");
    refused(409, BY_POLICY, "DELETE", POLICY);
    assertThat(server.owner("DELETE", blob, "").status()).isEqualTo(202);
    String version = "?versionid=" + put.header("x-ms-version-id");
    refused(409, BY_HOLD, "DELETE", version);
    assertThat(server.owner("HEAD", blob + version, "").header(MODE)).isEqualTo("locked");
  }

  @Test
  void headersOnOtherOperationsAreRefused() {
    put("1");
    refused(400, "UnsupportedHeader", "PUT", "?comp=metadata", LEGAL_HOLD + ": true");
    refused(400, "UnsupportedHeader", "PUT", "?comp=snapshot", UNTIL + ": " + until(1));
  }

  @Test
  void copiesAndBlockListsAreProtected() {
    put("1");
    String source = "x-ms-copy-source: http://localhost/devstoreaccount1" + blob;
    String from = blob;
    blob += "copy";
    for (String sync : List.of("false", "true")) {
      Answer copied =
          server.owner(
              "PUT", blob, "", source, "x-ms-requires-sync: " + sync, UNTIL + ": " + until(1));
      assertThat(copied.status()).isEqualTo(202);
      assertThat(server.owner("HEAD", blob, "").header(MODE)).isEqualTo("unlocked");
    }
    String list = "<BlockList></BlockList>";
    Answer committed = server.owner("PUT", from + "?comp=blocklist", list, LEGAL_HOLD + ": true");
    assertThat(committed.status()).isEqualTo(201);
    assertThat(server.owner("HEAD", from, "").header(LEGAL_HOLD)).isEqualTo("true");
  }

  @Test
  void listingsShowProtectionIfAsked() {
    put("1");
    String until = until(1);
    server.owner("PUT", blob + POLICY, "", UNTIL + ": " + until);
    server.owner("PUT", blob + HOLD, "", LEGAL_HOLD + ": true");
    String policy =
        "<ImmutabilityPolicyUntilDate>"
            + until
            + "</ImmutabilityPolicyUntilDate><ImmutabilityPolicyMode>unlocked"
            + "</ImmutabilityPolicyMode>";
    String hold = "<LegalHold>true</LegalHold>";
    assertThat(list("&include=immutabilitypolicy,legalhold")).contains(policy + hold + "</Prop");
    assertThat(list("&include=immutabilitypolicy")).contains(policy).doesNotContain(hold);
    assertThat(list("&include=legalhold")).contains(hold).doesNotContain(policy);
    assertThat(list("")).doesNotContain(policy).doesNotContain(hold);
  }

  @Test
  void versionsAndSnapshotsHaveTheirOwnProtection() {
    String first = "versionid=" + put("1").header("x-ms-version-id");
    put("2");
    Answer taken = server.owner("PUT", blob + "?comp=snapshot", "");
    String snapshot = "snapshot=" + taken.header("x-ms-snapshot");
    for (String state : List.of(first, snapshot)) {
      Answer set = server.owner("PUT", blob + POLICY + "&" + state, "", UNTIL + ": " + until(1));
      assertThat(set.status()).isEqualTo(200);
      assertThat(server.owner("HEAD", blob + "?" + state, "").header(MODE)).isEqualTo("unlocked");
      refused(409, BY_POLICY, "DELETE", "?" + state);
    }
    assertThat(server.owner("HEAD", blob, "").header(UNTIL)).isNull();
    refused(
        400,
        "MutuallyExclusiveQueryParameters",
        "PUT",
        POLICY + "&" + first + "&" + snapshot,
        UNTIL + ": " + until(1));
    FixtureEngineProvider.CLOCK.addAndGet(2 * 86_400 * Ticks.PER_SECOND);
    for (String state : List.of(first, snapshot)) {
      assertThat(server.owner("DELETE", blob + "?" + state, "").status()).isEqualTo(202);
    }
  }

  @Test
  void aContainerWithAProtectedVersionStays() {
    String container = "/kept" + made;
    server.owner("PUT", container + "?restype=container", "");
    blob = container + "/b";
    put("1");
    server.owner("PUT", blob + POLICY, "", UNTIL + ": " + until(1), MODE + ": Locked");
    put("2");
    server.owner("DELETE", blob, "");
    Answer refused = server.owner("DELETE", container + "?restype=container", "");
    assertRefused(refused, 409, BY_POLICY);
    FixtureEngineProvider.CLOCK.addAndGet(2 * 86_400 * Ticks.PER_SECOND);
    assertThat(server.owner("DELETE", container + "?restype=container", "").status())
        .isEqualTo(202);
  }

  @Test
  void aBatchKeepsWhatIsProtected() {
    String version = put("1").header("x-ms-version-id");
    server.owner("PUT", blob + HOLD, "", LEGAL_HOLD + ": true");
    put("2");
    String path = "/devstoreaccount1" + blob + "?versionid=" + version;
    String part =
        "--b\r\nContent-Type: application/http\r\nContent-ID: 0\r\n\r\nDELETE "
            + path
            + " HTTP/1.1\r\n"
            + server.credentials("DELETE", blob + "?versionid=" + version)
            + "\r\n\r\n--b--\r\n";
    Answer batch =
        server.owner("POST", "/?comp=batch", part, "Content-Type: multipart/mixed; boundary=b");
    assertThat(batch.status()).isEqualTo(202);
    assertThat(batch.body()).contains("HTTP/1.1 409").contains(BY_HOLD);
    assertThat(server.owner("GET", blob + "?versionid=" + version, "").body()).isEqualTo("1");
  }

  private Answer put(String content) {
    Answer answer = server.owner("PUT", blob, content, BlobWire.BLOCK_BLOB);
    assertThat(answer.status()).isEqualTo(201);
    return answer;
  }

  private String list(String query) {
    String prefix = blob.substring(CONTAINER.length() + 1);
    return server
        .owner("GET", CONTAINER + "?restype=container&comp=list&prefix=" + prefix + query, "")
        .body();
  }

  private void refused(int status, String code, String verb, String query, String... headers) {
    assertRefused(server.owner(verb, blob + query, "", headers), status, code);
  }

  /** Returns a date, in whole days from now. */
  private static String until(int days) {
    long ticks = FixtureEngineProvider.CLOCK.get() + 86_400L * days * Ticks.PER_SECOND;
    return HttpDate.format(Ticks.toInstant(ticks));
  }
}
