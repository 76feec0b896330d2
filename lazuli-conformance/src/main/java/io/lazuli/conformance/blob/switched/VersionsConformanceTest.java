package io.lazuli.conformance.blob.switched;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.SharedAccess;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import io.lazuli.conformance.wire.XmlElement;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Versions of blobs, on a server whose account keeps them. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Tag("own-server")
class VersionsConformanceTest {

  private static final String VERSION = "x-ms-version-id";
  private static final String CURRENT = "x-ms-is-current-version";
  private static final String PERMANENT = "x-ms-delete-type-permanent";
  private static final String UNKNOWN = "2020-01-01T00:00:00.0000000Z";

  private static ServerProcess server;

  private ScratchContainer container;

  @BeforeAll
  static void start() {
    server =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(), ServerProcess.temporaryFolder(), "--blob-versioning");
  }

  @AfterAll
  static void kill() {
    server.close();
  }

  @BeforeEach
  void createContainer() {
    WireClient wire = new WireClient(server.account(StorageService.BLOB));
    container = new ScratchContainer(wire, ScratchContainer.freshName()).created();
  }

  private static String version(WireAnswer answer) {
    expect(answer).hasHeader(VERSION);
    return answer.header(VERSION).orElse("");
  }

  private String stored(String content) {
    return version(container.stored("b", content));
  }

  /** Creates a request for a version of the blob. */
  private WireRequest on(String verb, String version, String query) {
    String more = query.isEmpty() ? "" : "&" + query;
    return container.on(verb, "b", "versionid=" + Keys.encode(version) + more);
  }

  private String content(String version) {
    WireAnswer answer = on("GET", version, "").send();
    expect(answer).status(200).header(VERSION, version);
    return answer.text();
  }

  private WireAnswer promote(String version) {
    return container.copy("b", container.url("b") + "?versionid=" + Keys.encode(version)).send();
  }

  /** Lists the states of all blobs, each with its name and what it is. */
  private List<String> listed(String include) {
    return BlobListing.of(container, "include=" + include).entries().stream()
        .map(
            entry ->
                entry.text("Name")
                    + (entry.names().contains("Snapshot") ? " snapshot" : "")
                    + (entry.names().contains("IsCurrentVersion") ? " current" : "")
                    + (entry.names().contains("Deleted") ? " deleted" : ""))
        .toList();
  }

  @Test
  @Documented("blob-features 3.1, 3.2: what makes a version")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020")
  void writesMakeVersionsAndSmallChangesDoNot() {
    String put = stored("1");
    assertThat(put).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{7}Z");
    String metadata = version(container.on("PUT", "b", "comp=metadata").send());
    WireAnswer taken = container.on("PUT", "b", "comp=snapshot").send();
    String snapshot = version(taken);
    expect(container.block("b", "1", "2").send()).status(201).lacksHeader(VERSION);
    String committed = version(container.commit("b", "Latest:1").send());
    String copied = version(container.copy("b", container.url("b")).send());
    assertThat(List.of(put, metadata, snapshot, committed, copied))
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(snapshot).isGreaterThan(taken.header("x-ms-snapshot").orElse(""));
    expect(container.on("PUT", "b", "comp=properties").send()).status(200).lacksHeader(VERSION);
    expect(container.on("PUT", "b", "comp=tier").header("x-ms-access-tier", "Cool").send())
        .status(200)
        .lacksHeader(VERSION);
    assertThat(listed("versions")).containsExactly("b", "b", "b", "b", "b current");
  }

  @Test
  @Documented("blob-features 3.1, 3.3: the headers of versions, their own creation time, no lease")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020")
  void aPreviousVersionIsReadByItsName() {
    String first = stored("1");
    String second = stored("2");
    expect(container.get("b").send()).header(VERSION, second).header(CURRENT, "true");
    expect(on("GET", first, "").send())
        .status(200)
        .header(VERSION, first)
        .lacksHeader(CURRENT)
        .lacksHeader("x-ms-lease-state")
        .lacksHeader("x-ms-lease-status");
    assertThat(content(first)).isEqualTo("1");
    expect(on("HEAD", second, "").send()).header(CURRENT, "true").hasHeader("x-ms-lease-state");
    expect(on("GET", first, "comp=metadata").send()).status(200);
    expect(on("GET", first, "comp=blocklist").send()).status(200);
  }

  @Test
  @Documented("blob-features 3.3: names that are wrong, and operations that need the blob")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020")
  void wrongNamesOfVersionsAreRefused() {
    String first = stored("1");
    refused(on("GET", "yesterday", "").send(), 400, "InvalidQueryParameterValue");
    refused(on("GET", UNKNOWN, "").send(), 404, "BlobNotFound");
    refused(
        on("GET", first, "snapshot=" + Keys.encode(first)).send(),
        400,
        "MutuallyExclusiveQueryParameters");
    for (String operation : List.of("comp=metadata", "comp=properties", "comp=snapshot")) {
      refused(on("PUT", first, operation).send(), 400, "InvalidQueryParameterValue");
    }
    refused(
        on("PUT", first, "comp=lease")
            .header("x-ms-lease-action", "acquire")
            .header("x-ms-lease-duration", "15")
            .send(),
        400,
        "InvalidQueryParameterValue");
  }

  @Test
  @Documented("blob-features 3.4, 2.4: oldest first, the current one last; deleted blobs")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void versionsAreListedOldestFirst() {
    String first = stored("1");
    String second = stored("2");
    BlobListing all = BlobListing.of(container, "include=versions");
    assertThat(all.entries())
        .extracting(item -> item.text("VersionId"))
        .containsExactly(first, second);
    XmlElement previous = all.entries().get(0);
    assertThat(previous.names()).doesNotContain("IsCurrentVersion");
    assertThat(previous.child("Properties").names()).doesNotContain("LeaseState", "LeaseStatus");
    XmlElement alone = BlobListing.of(container, "").blob("b");
    assertThat(alone.text("VersionId")).isEqualTo(second);
    assertThat(alone.text("IsCurrentVersion")).isEqualTo("true");
    assertThat(BlobListing.allPages(container, "include=versions&maxresults=1")).hasSize(2);

    expect(container.delete("b").send()).status(202);
    assertThat(listed("metadata")).isEmpty();
    assertThat(listed("versions")).containsExactly("b", "b");
    XmlElement only = BlobListing.of(container, "include=deletedwithversions").blob("b");
    assertThat(only.text("HasVersionsOnly")).isEqualTo("true");
    assertThat(only.child("Properties").text("Content-Length")).isEqualTo("0");
  }

  @Test
  @Documented("blob-features 3.5: deletions of the blob and of versions")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020")
  void theCurrentVersionCannotBeDeletedByItsName() {
    String first = stored("1");
    String second = stored("2");
    refused(on("DELETE", second, "").send(), 403, "OperationNotAllowedOnRootBlob");
    refused(
        on("DELETE", first, "").header("x-ms-delete-snapshots", "include").send(),
        400,
        "InvalidQueryParameterValue");
    expect(container.delete("b").send()).status(202).header(PERMANENT, "false");
    refused(container.get("b").send(), 404, "BlobNotFound");
    assertThat(content(second)).isEqualTo("2");
    expect(on("DELETE", first, "").send()).status(202).header(PERMANENT, "true");
    refused(on("GET", first, "").send(), 404, "BlobNotFound");
    assertThat(listed("versions")).containsExactly("b");
  }

  @Test
  @Documented("blob-features 3.5: snapshots block a deletion, versions do not")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020")
  void snapshotsAndVersionsOfOneBlob() {
    stored("1");
    stored("2");
    container.snapshot("b");
    refused(container.delete("b").send(), 409, "SnapshotsPresent");
    expect(container.delete("b").header("x-ms-delete-snapshots", "include").send()).status(202);
    assertThat(listed("versions,snapshots")).containsExactly("b", "b", "b");
  }

  @Test
  @Documented("blob-features 3.5, 1.2: a promoted version is a new version and brings its tags")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020")
  void aVersionIsPromoted() {
    String first = version(container.put("b", "1").header("x-ms-tags", "a=1").send());
    String second = stored("2");
    WireAnswer promoted = promote(first);
    expect(promoted).status(202).header("x-ms-copy-status", "success");
    assertThat(version(promoted)).isGreaterThan(second);
    WireAnswer read = container.get("b").send();
    expect(read).header("x-ms-tag-count", "1");
    assertThat(read.text()).isEqualTo("1");
    assertThat(read.header("x-ms-copy-source").orElse("")).contains("versionid=");
    assertThat(listed("versions")).containsExactly("b", "b", "b current");
  }

  @Test
  @Documented("blob-features 1.1, 1.3: each version has its own tags")
  void tagsBelongToAVersion() {
    String first = version(container.put("b", "1").header("x-ms-tags", "a=1").send());
    String second = stored("2");
    assertThat(on("GET", first, "comp=tags").send().text()).contains("<Value>1</Value>");
    assertThat(on("GET", second, "comp=tags").send().text()).doesNotContain("<Tag>");
    String tags = "<Tags><TagSet><Tag><Key>a</Key><Value>2</Value></Tag></TagSet></Tags>";
    expect(on("PUT", first, "comp=tags").body(tags).send()).status(204);
    assertThat(on("GET", first, "comp=tags").send().text()).contains("<Value>2</Value>");
    expect(container.head("b").send()).lacksHeader("x-ms-tag-count");
    refused(on("PUT", UNKNOWN, "comp=tags").body(tags).send(), 404, "BlobNotFound");
  }

  /** Finds blobs and versions; returns the name, the version and whether it is the current one. */
  private List<String> found(String where, String more) {
    WireAnswer answer = container.on("GET", "comp=blobs&where=" + Keys.encode(where) + more).send();
    expect(answer).status(200);
    return XmlElement.rootOf(answer).child("Blobs").children().stream()
        .map(
            blob ->
                blob.text("Name")
                    + " "
                    + blob.texts().getOrDefault("VersionId", "")
                    + (blob.names().contains("IsCurrentVersion") ? " current" : ""))
        .toList();
  }

  @Test
  @Documented("blob-features 1.4: previous versions are found, oldest first")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2021-08-06")
  void versionsAreFoundByTheirTags() {
    String first = version(container.put("b", "1").header("x-ms-tags", "a=1&n=1").send());
    String second = version(container.put("b", "2").header("x-ms-tags", "a=1&n=2").send());
    String third = stored("3");
    String other = version(container.put("c", "4").header("x-ms-tags", "a=1").send());
    String with = "&include=versions";
    assertThat(found("a='1'", with))
        .containsExactly("b " + first, "b " + second, "c " + other + " current");
    assertThat(found("a='1' AND n>'1'", with)).containsExactly("b " + second);
    assertThat(found("a='1'", "")).containsExactly("c ");
    assertThat(found("a='1'", with + "&maxresults=1")).containsExactly("b " + first);

    String tags = "<Tags><TagSet><Tag><Key>a</Key><Value>2</Value></Tag></TagSet></Tags>";
    expect(on("PUT", first, "comp=tags").body(tags).send()).status(204);
    expect(on("PUT", third, "comp=tags").body(tags).send()).status(204);
    assertThat(found("a='2'", with)).containsExactly("b " + first, "b " + third + " current");
    expect(container.delete("b").send()).status(202);
    assertThat(found("a='2'", with)).containsExactly("b " + first, "b " + third);
    assertThat(found("a='2'", "")).isEmpty();
    expect(on("DELETE", first, "").send()).status(202);
    assertThat(found("a='2'", with)).containsExactly("b " + third);
    String promoted = version(promote(second));
    assertThat(found("n='2'", with)).containsExactly("b " + second, "b " + promoted + " current");
  }

  @Test
  @Documented("blob-features 3.6: a tier belongs to a version")
  void tiersBelongToAVersion() {
    String first = stored("1");
    String second = stored("2");
    expect(on("PUT", first, "comp=tier").header("x-ms-access-tier", "Cool").send()).status(200);
    expect(on("HEAD", first, "").send()).header("x-ms-access-tier", "Cool");
    expect(on("HEAD", second, "").send()).header("x-ms-access-tier", "Hot");
  }

  @Test
  @Documented("blob-features 3.2: all versions of a name have one type")
  void versionsHaveOneType() {
    stored("1");
    refused(container.putLog("b").send(), 409, "InvalidBlobType");
    expect(container.delete("b").send()).status(202);
    refused(container.putLog("b").send(), 409, "InvalidBlobType");
  }

  @Test
  @Documented("blob-features 3.3, 7.6: the pages of a version stay as they were")
  void thePagesOfAVersionStay() {
    expect(
            container
                .on("PUT", "b", "")
                .header("x-ms-blob-type", "PageBlob")
                .header("x-ms-blob-content-length", "1024")
                .send())
        .status(201);
    WireRequest write = container.on("PUT", "b", "comp=page").header("x-ms-range", "bytes=0-511");
    expect(write.header("x-ms-page-write", "update").body("x".repeat(512)).send()).status(201);
    String first = version(container.on("PUT", "b", "comp=metadata").send());
    expect(container.on("PUT", "b", "comp=metadata").header("x-ms-meta-a", "b").send()).status(200);
    WireRequest clear = container.on("PUT", "b", "comp=page").header("x-ms-range", "bytes=0-511");
    expect(clear.header("x-ms-page-write", "clear").send()).status(201);
    assertThat(on("GET", first, "comp=pagelist").send().text()).contains("<End>511</End>");
    assertThat(container.on("GET", "b", "comp=pagelist").send().text()).doesNotContain("<End>");
    assertThat(content(first)).startsWith("xxx");
  }

  @Test
  @Documented("blob-features 3.5: with soft delete, a deleted version is restored as a version")
  void aDeletedVersionIsRestored() {
    AccountProperties properties = AccountProperties.remember(container.wire());
    String on = "<Enabled>true</Enabled><Days>2</Days>";
    expect(properties.set("<DeleteRetentionPolicy>" + on + "</DeleteRetentionPolicy>")).status(202);
    try {
      String first = stored("1");
      stored("2");
      expect(on("DELETE", first, "").send()).status(202).header(PERMANENT, "false");
      refused(on("GET", first, "").send(), 404, "BlobNotFound");
      assertThat(listed("versions")).containsExactly("b current");
      assertThat(listed("versions,deleted")).containsExactly("b deleted", "b current");
      expect(container.on("PUT", "b", "comp=undelete").send()).status(200);
      assertThat(content(first)).isEqualTo("1");
      assertThat(container.content("b")).isEqualTo("2");
    } finally {
      properties.restore();
    }
  }

  @Test
  @Documented("blob-features 3.5: deleting a version needs x, deleting the blob needs d")
  void aSignatureForVersionsHasItsOwnLetter() {
    String first = stored("1");
    stored("2");
    refused(
        on("DELETE", first, "").sas(container.access("b", "d")).send(),
        403,
        "AuthorizationPermissionMismatch");
    refused(
        container.delete("b").sas(container.access("b", "x")).send(),
        403,
        "AuthorizationPermissionMismatch");
    expect(on("GET", first, "").sas(container.access("b", "r")).send()).status(200);
    expect(on("DELETE", first, "").sas(container.access("b", "x")).send()).status(202);
  }

  @Test
  @Documented("blob-features 9.3, 3.5: a signature for one version opens that version only")
  void aSignatureForOneVersion() {
    String first = stored("1");
    String second = stored("2");
    String third = stored("3");
    SharedAccess access =
        SharedAccess.ofVersion(container.wire().account(), container.name(), "b", first)
            .permissions("rx");
    expect(on("GET", first, "").sas(access).send()).status(200);
    refused(on("GET", second, "").sas(access).send(), 403, "AuthenticationFailed");
    refused(on("GET", third, "").sas(access).send(), 403, "AuthenticationFailed");
    refused(container.get("b").sas(access).send(), 403, "AuthenticationFailed");
    expect(on("DELETE", first, "").sas(access).send()).status(202);
    String snapshot = container.snapshot("b");
    SharedAccess taken =
        SharedAccess.ofSnapshot(container.wire().account(), container.name(), "b", snapshot)
            .permissions("r");
    String query = "snapshot=" + Keys.encode(snapshot);
    expect(container.on("GET", "b", query).sas(taken).send()).status(200);
    refused(container.get("b").sas(taken).send(), 403, "AuthenticationFailed");
    refused(on("GET", second, "").sas(taken).send(), 403, "AuthenticationFailed");
  }

  @Test
  @Documented("blob-features 1.4: the version of a blob that is found")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2021")
  void aSearchNamesTheVersion() {
    String version = version(container.put("b", "1").header("x-ms-tags", "k=1").send());
    String where = "comp=blobs&where=" + Keys.encode("k='1'");
    assertThat(container.on("GET", where + "&include=versions").send().text())
        .contains("</ContainerName><VersionId>" + version + "</VersionId>")
        .contains("<IsCurrentVersion>true</IsCurrentVersion>");
    assertThat(container.on("GET", where).send().text()).doesNotContain("<VersionId>");
  }

  @Test
  @Documented("blob-features 3.2: the switch is turned on over a blob, and off again")
  void theSwitchChangesNoBlob() {
    Path folder = ServerProcess.temporaryFolder();
    String name = ScratchContainer.freshName();
    String created;
    try (ServerProcess before = ServerProcess.start(AccountUnderTest.serverJar(), folder)) {
      ScratchContainer old = of(before, name).created();
      expect(old.put("b", "1").send()).status(201).lacksHeader(VERSION);
      created = old.property("b", "x-ms-creation-time");
    }
    String second;
    try (ServerProcess on =
        ServerProcess.startWith(AccountUnderTest.serverJar(), folder, "--blob-versioning")) {
      container = of(on, name);
      assertThat(container.content("b")).isEqualTo("1");
      expect(container.head("b").send()).lacksHeader(VERSION);
      second = stored("2");
      List<XmlElement> all = BlobListing.of(container, "include=versions").entries();
      assertThat(all).hasSize(2);
      String first = all.get(0).text("VersionId");
      assertThat(content(first)).isEqualTo("1");
      expect(on("HEAD", first, "").send()).header("x-ms-creation-time", created);
    }
    try (ServerProcess off = ServerProcess.start(AccountUnderTest.serverJar(), folder)) {
      container = of(off, name);
      expect(container.put("b", "3").send()).status(201).lacksHeader(VERSION);
      assertThat(content(second)).isEqualTo("2");
      assertThat(container.content("b")).isEqualTo("3");
      expect(container.put("b", "4").send()).status(201);
      assertThat(listed("versions")).hasSize(3);
      expect(on("DELETE", second, "").send()).status(202);
      refused(on("GET", second, "").send(), 404, "BlobNotFound");
    }
  }

  private static ScratchContainer of(ServerProcess server, String name) {
    return new ScratchContainer(new WireClient(server.account(StorageService.BLOB)), name);
  }

  @Test
  @Documented("blob-features 3.3, 5.2: a lease belongs to the blob, and stays with it")
  void aLeaseDoesNotBelongToVersions() {
    String first = stored("1");
    stored("2");
    String lease = "11111111-2222-3333-4444-555555555555";
    container.leased("b", lease);
    refused(container.put("b", "3").send(), 412, "LeaseIdMissing");
    refused(promote(first), 412, "LeaseIdMissing");
    expect(container.put("b", "3").header("x-ms-lease-id", lease).send()).status(201);
    expect(container.head("b").send()).header("x-ms-lease-state", "leased");
    expect(on("DELETE", first, "").send()).status(202);
  }
}
