package io.lazuli.conformance.blob.switched;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.XmlElement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Soft delete of blobs and snapshots, which the owner switches on with the properties. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Isolated("while it is on, deletions of all cases have other answers")
class SoftDeleteConformanceTest {

  private static final String LACKS = "Azurite 3.37.0 stores the setting and does not keep blobs";
  private static final String DELETED = "include=deleted";
  private static final String ALL = "include=snapshots,deleted";

  private final ScratchContainer container = ScratchContainer.create();
  private final AccountProperties properties = AccountProperties.remember(container.wire());

  @BeforeEach
  void switchOn() {
    expect(properties.set(retention("<Days>2</Days>"))).status(202);
  }

  @AfterEach
  void restore() {
    properties.restore();
  }

  private static String retention(String days) {
    return "<DeleteRetentionPolicy><Enabled>true</Enabled>"
        + days
        + "<AllowPermanentDelete>false</AllowPermanentDelete></DeleteRetentionPolicy>";
  }

  private WireAnswer undelete(String blob) {
    return container.on("PUT", blob, "comp=undelete").send();
  }

  private void delete(String blob) {
    expect(container.delete(blob).send()).status(202).header("x-ms-delete-type-permanent", "false");
  }

  private List<String> listed(String query) {
    return BlobListing.of(container, query).entries().stream()
        .map(
            entry ->
                (entry.names().contains("Snapshot") ? "snapshot" : "blob")
                    + (entry.names().contains("Deleted") ? " deleted" : ""))
        .toList();
  }

  @Test
  @Documented("blob-features 2.1: the element alone, what Get returns")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theRetentionIsSet() {
    XmlElement policy =
        XmlElement.rootOf(container.wire().get(AccountProperties.RESOURCE).send())
            .child("DeleteRetentionPolicy");
    assertThat(policy.text("Enabled")).isEqualTo("true");
    assertThat(policy.text("Days")).isEqualTo("2");
    expect(
            properties.set(
                "<DeleteRetentionPolicy><Enabled>false</Enabled></DeleteRetentionPolicy>"))
        .status(202);
    assertThat(
            XmlElement.rootOf(container.wire().get(AccountProperties.RESOURCE).send())
                .child("DeleteRetentionPolicy")
                .names())
        .doesNotContain("Days");
  }

  @Test
  @Documented("blob-features 2.1: 0 and 366 days, and none")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  @Differs("Azurite 3.37.0 refuses them without a code")
  void theRetentionHasOneTo365Days() {
    for (String days : List.of("<Days>0</Days>", "<Days>366</Days>", "")) {
      refused(properties.set(retention(days)), 400, "InvalidXmlDocument");
    }
    expect(properties.set(retention("<Days>1</Days>"))).status(202);
    expect(properties.set(retention("<Days>365</Days>"))).status(202);
  }

  @Test
  @Documented("blob-features 2.2, 2.3: deleted, invisible, restored as it was")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019-07-17")
  @Differs(LACKS)
  void aDeletedBlobIsRestored() {
    WireAnswer before = container.stored("b", "x");
    delete("b");
    refused(container.get("b").send(), 404, "BlobNotFound");
    refused(container.delete("b").send(), 404, "BlobNotFound");
    assertThat(listed("")).isEmpty();
    expect(undelete("b")).status(200).lacksHeader("ETag").lacksHeader("Last-Modified").emptyBody();
    expect(container.head("b").send()).status(200).header("ETag", before.etag());
    assertThat(container.content("b")).isEqualTo("x");
  }

  @Test
  @Documented("blob-features 2.3: nothing to restore")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019-07-17")
  @Differs(LACKS)
  void onlyWhatWasDeletedIsRestored() {
    refused(undelete("never"), 404, "BlobNotFound");
    container.stored("b", "x");
    expect(undelete("b")).status(200);
    assertThat(container.content("b")).isEqualTo("x");
  }

  @Test
  @Documented("blob-features 2.4: the item of a deleted blob")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019-07-17")
  @Differs(LACKS)
  void aDeletedBlobIsListedWithItsTimes() {
    container.stored("b", "x");
    delete("b");
    assertThat(listed(DELETED)).containsExactly("blob deleted");
    XmlElement item = BlobListing.of(container, DELETED).entries().get(0);
    assertThat(item.text("Deleted")).isEqualTo("true");
    assertThat(item.names().indexOf("Deleted")).isLessThan(item.names().indexOf("Properties"));
    assertThat(item.child("Properties").names())
        .contains("DeletedTime", "RemainingRetentionDays")
        .doesNotContain("LeaseState");
    assertThat(item.child("Properties").text("RemainingRetentionDays")).isEqualTo("1");
  }

  @Test
  @Documented("blob-features 2.2: four writes list as one blob and three deleted snapshots")
  @Differs(LACKS)
  void replacedStatesBecomeDeletedSnapshots() {
    for (String content : List.of("1", "2", "3", "4")) {
      container.stored("b", content);
    }
    assertThat(listed(ALL))
        .containsExactly("snapshot deleted", "snapshot deleted", "snapshot deleted", "blob");
    assertThat(listed("include=snapshots")).containsExactly("blob");
    expect(undelete("b")).status(200);
    assertThat(listed("include=snapshots"))
        .containsExactly("snapshot", "snapshot", "snapshot", "blob");
    assertThat(container.content("b")).isEqualTo("4");
  }

  @Test
  @Documented("blob-features 2.2: metadata, properties and tiers keep nothing")
  void smallChangesKeepNothing() {
    container.stored("b", "x");
    expect(container.on("PUT", "b", "comp=metadata").header("x-ms-meta-a", "b").send()).status(200);
    expect(container.on("PUT", "b", "comp=tier").header("x-ms-access-tier", "Cool").send())
        .status(200);
    assertThat(listed(ALL)).containsExactly("blob");
  }

  @Test
  @Documented("blob-features 2.2: snapshots alone, only snapshots, and with their blob")
  @Differs(LACKS)
  void snapshotsAreDeletedAndRestored() {
    container.stored("b", "x");
    String first = container.snapshot("b");
    container.snapshot("b");
    expect(container.on("DELETE", "b", "snapshot=" + Keys.encode(first)).send())
        .status(202)
        .header("x-ms-delete-type-permanent", "false");
    assertThat(listed(ALL)).containsExactly("snapshot deleted", "snapshot", "blob");
    refused(container.delete("b").send(), 409, "SnapshotsPresent");
    expect(container.delete("b").header("x-ms-delete-snapshots", "only").send()).status(202);
    assertThat(listed(ALL)).containsExactly("snapshot deleted", "snapshot deleted", "blob");
    expect(undelete("b")).status(200);
    expect(container.delete("b").header("x-ms-delete-snapshots", "include").send()).status(202);
    assertThat(listed(ALL)).containsExactly("snapshot deleted", "snapshot deleted", "blob deleted");
    expect(undelete("b")).status(200);
    assertThat(listed(ALL)).containsExactly("snapshot", "snapshot", "blob");
  }

  @Test
  @Documented("blob-features 2.2, 2.3: the name is free; what replaced the blob stays")
  @Differs(LACKS)
  void theNameOfADeletedBlobIsFree() {
    container.stored("b", "old");
    delete("b");
    expect(container.put("b", "new").header("If-None-Match", "*").send()).status(201);
    expect(undelete("b")).status(200);
    assertThat(container.content("b")).isEqualTo("new");
    assertThat(listed("include=snapshots")).containsExactly("snapshot", "blob");
  }

  @Test
  @Documented("blob-features 2.2: a lease protects from deletion and is gone after it")
  @Differs(LACKS)
  void aRestoredBlobHasNoLease() {
    String id = "11111111-aaaa-4aaa-8aaa-111111111111";
    container.stored("b", "x");
    container.leased("b", id);
    refused(container.delete("b").send(), 412, "LeaseIdMissing");
    expect(container.delete("b").header("x-ms-lease-id", id).send()).status(202);
    expect(undelete("b")).status(200);
    expect(container.head("b").send()).header("x-ms-lease-state", "available");
  }

  @Test
  @Documented("blob-features 2.2: another type destroys what was deleted")
  @Differs(LACKS)
  void anotherTypeKeepsNothing() {
    container.stored("b", "x");
    container.snapshot("b");
    expect(container.delete("b").header("x-ms-delete-snapshots", "include").send()).status(202);
    assertThat(listed(ALL)).containsExactly("snapshot deleted", "blob deleted");
    expect(container.putLog("b").send()).status(201);
    assertThat(listed(ALL)).containsExactly("blob");
  }

  @Test
  @Documented("blob-features 2.2: the old state of an archived blob is lost")
  void anArchivedBlobIsReplacedForGood() {
    expect(container.put("b", "x").header("x-ms-access-tier", "Archive").send()).status(201);
    container.stored("b", "y");
    assertThat(listed(ALL)).containsExactly("blob");
  }

  @Test
  @Documented("blob-features 2.2: blocks of a deleted name; the deleted blob stays")
  @Differs(LACKS)
  void blocksDoNotDisturbADeletedBlob() {
    container.stored("b", "x");
    delete("b");
    expect(container.block("b", "1", "y").send()).status(201);
    refused(container.get("b").send(), 404, "BlobNotFound");
    assertThat(listed(DELETED)).contains("blob deleted");
    expect(undelete("b")).status(200);
    assertThat(container.content("b")).isEqualTo("x");
  }

  @Test
  @Documented("blob-features 1.1, 2.2: nothing is read from or written to a deleted blob")
  void aDeletedBlobIsInvisibleToEveryOperation() {
    container.stored("b", "x");
    expect(container.delete("b").send()).status(202);
    String tags = "<Tags><TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet></Tags>";
    refused(container.head("b").send(), 404, "BlobNotFound");
    refused(container.on("GET", "b", "comp=tags").send(), 404, "BlobNotFound");
    refused(container.on("PUT", "b", "comp=tags").body(tags).send(), 404, "BlobNotFound");
    for (String operation : List.of("comp=metadata", "comp=properties", "comp=snapshot")) {
      refused(container.on("PUT", "b", operation).send(), 404, "BlobNotFound");
    }
    refused(
        container.on("PUT", "b", "comp=tier").header("x-ms-access-tier", "Cool").send(),
        404,
        "BlobNotFound");
    refused(
        container.lease("b", "acquire").header("x-ms-lease-duration", "15").send(),
        404,
        "BlobNotFound");
  }

  @Test
  @Documented("blob-features 2.2: only snapshots that are there block a deletion")
  @Differs(LACKS)
  void deletedSnapshotsDoNotBlockADeletion() {
    container.stored("b", "x");
    String snapshot = container.snapshot("b");
    expect(container.on("DELETE", "b", "snapshot=" + Keys.encode(snapshot)).send()).status(202);
    delete("b");
  }

  @Test
  @Documented("blob-features 2.5: do: a deleted snapshot is erased if the owner allows it")
  @Differs(LACKS)
  void aDeletedSnapshotIsErased() {
    container.stored("b", "x");
    String first = "snapshot=" + Keys.encode(container.snapshot("b"));
    String second = "snapshot=" + Keys.encode(container.snapshot("b"));
    expect(container.on("DELETE", "b", first).send()).status(202);
    String permanent = "&deletetype=permanent";
    refused(container.on("DELETE", "b", first + permanent).send(), 403, "AuthorizationFailure");
    expect(
            properties.set(
                retention("<Days>2</Days>").replace("Delete>false</AllowP", "Delete>true</AllowP")))
        .status(202);
    refused(container.on("DELETE", "b", second + permanent).send(), 404, "BlobNotFound");
    refused(
        container.on("DELETE", "b", first + permanent).sas(container.access("b", "rwdx")).send(),
        403,
        "AuthorizationPermissionMismatch");
    expect(container.on("DELETE", "b", first + permanent).sas(container.access("b", "y")).send())
        .status(202)
        .header("x-ms-delete-type-permanent", "true");
    assertThat(listed(ALL)).containsExactly("snapshot", "blob");
    expect(undelete("b")).status(200);
    assertThat(listed(ALL)).containsExactly("snapshot", "blob");
  }

  @Test
  @Documented("blob-features 2.1: switching off does not touch what was deleted before")
  @Differs(LACKS)
  void switchingOffForgetsNothing() {
    container.stored("b", "x");
    delete("b");
    properties.restore();
    expect(undelete("b")).status(200);
    expect(container.delete("b").send()).status(202).header("x-ms-delete-type-permanent", "true");
    refused(undelete("b"), 404, "BlobNotFound");
  }
}
