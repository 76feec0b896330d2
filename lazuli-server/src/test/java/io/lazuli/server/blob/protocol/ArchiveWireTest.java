package io.lazuli.server.blob.protocol;

import static io.lazuli.server.blob.protocol.BlobWire.BLOCK_BLOB;
import static io.lazuli.server.blob.protocol.BlobWire.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.FixtureEngineProvider;
import io.lazuli.server.WireServer;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The archive as a state (blob-features 4.6), with a clock that the tests move. */
class ArchiveWireTest {
  private static final String ARCHIVE = "x-ms-access-tier: Archive";
  private static final String HIGH = "x-ms-rehydrate-priority: high";

  private static WireServer server;
  private static int made;

  private String blob;

  @BeforeAll
  static void start() {
    FixtureEngineProvider.CLOCK.set(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
    server = WireServer.ofBlobsWithClock();
    server.owner("PUT", "/cellar?restype=container", "");
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void archiveABlob() {
    blob = "/cellar/b" + ++made;
    Answer put = server.owner("PUT", blob, "old wine", BLOCK_BLOB, ARCHIVE, "x-ms-tags: a=b");
    assertThat(put.status()).isEqualTo(201);
  }

  private static void passSeconds(long seconds) {
    FixtureEngineProvider.CLOCK.addAndGet(seconds * Ticks.PER_SECOND);
  }

  private Answer tier(String tier, String... headers) {
    return tierOf(blob, tier, headers);
  }

  private static Answer tierOf(String path, String tier, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("x-ms-access-tier: " + tier);
    String query = path.contains("?") ? "&comp=tier" : "?comp=tier";
    return server.owner("PUT", path + query, "", all.toArray(String[]::new));
  }

  private Answer head() {
    return server.owner("HEAD", blob, "");
  }

  private String listed() {
    String prefix = blob.substring("/cellar/".length());
    return server
        .owner("GET", "/cellar?restype=container&comp=list&prefix=" + prefix + "&maxresults=1", "")
        .body();
  }

  @Test
  void anArchivedBlobCannotBeReadOrChanged() {
    assertRefused(server.owner("GET", blob, ""), 409, "BlobArchived");
    assertRefused(server.owner("GET", blob, "", "x-ms-range: bytes=0-1"), 409, "BlobArchived");
    for (String operation : List.of("metadata", "properties", "snapshot")) {
      assertRefused(server.owner("PUT", blob + "?comp=" + operation, ""), 409, "BlobArchived");
    }
    assertRefused(server.owner("GET", blob + "?comp=blocklist", ""), 409, "BlobArchived");
    assertRefused(server.owner("GET", blob, "", "If-Match: \"0x1\""), 412, "ConditionNotMet");
  }

  @Test
  void anArchivedBlobCanBeDescribedLeasedReplacedAndDeleted() {
    assertThat(head().header("x-ms-access-tier")).isEqualTo("Archive");
    assertThat(server.owner("GET", blob + "?comp=metadata", "").status()).isEqualTo(200);
    assertThat(server.owner("GET", blob + "?comp=tags", "").status()).isEqualTo(200);
    assertThat(tier("Archive").status()).isEqualTo(200);
    Answer leased =
        server.owner(
            "PUT",
            blob + "?comp=lease",
            "",
            "x-ms-lease-action: acquire",
            "x-ms-lease-duration: 15");
    assertThat(leased.status()).isEqualTo(201);
    String id = "x-ms-lease-id: " + leased.header("x-ms-lease-id");
    String block = blob + "?comp=block&blockid=MDAx";
    assertThat(server.owner("PUT", block, "new", id).status()).isEqualTo(201);
    assertThat(server.owner("PUT", blob, "new wine", BLOCK_BLOB, id).status()).isEqualTo(201);
    assertThat(server.owner("GET", blob, "").body()).isEqualTo("new wine");
    assertThat(head().header("x-ms-access-tier-inferred")).isEqualTo("true");
    assertThat(tier("Archive").status()).isEqualTo(200);
    assertThat(server.owner("DELETE", blob, "", id).status()).isEqualTo(202);
  }

  @Test
  void aBlobLeavesTheArchiveAfterItsTime() {
    String archived = head().header("x-ms-access-tier-change-time");
    String etag = head().header("ETag");
    passSeconds(5);
    assertThat(tier("Cool").status()).isEqualTo(202);
    Answer pending = head();
    assertThat(pending.header("x-ms-access-tier")).isEqualTo("Archive");
    assertThat(pending.header("x-ms-access-tier-change-time")).isEqualTo(archived);
    assertThat(pending.header("x-ms-archive-status")).isEqualTo("rehydrate-pending-to-cool");
    assertThat(pending.header("x-ms-rehydrate-priority")).isEqualTo("Standard");
    assertThat(pending.header("ETag")).isEqualTo(etag);
    assertThat(listed())
        .contains(
            "<AccessTier>Archive</AccessTier><ArchiveStatus>rehydrate-pending-to-cool"
                + "</ArchiveStatus><AccessTierChangeTime>")
        .contains("<TagCount>1</TagCount><RehydratePriority>Standard</RehydratePriority>");
    passSeconds(59);
    assertRefused(server.owner("GET", blob, ""), 409, "BlobArchived");
    passSeconds(2);
    assertThat(server.owner("GET", blob, "").body()).isEqualTo("old wine");
    Answer cool = head();
    assertThat(cool.header("x-ms-access-tier")).isEqualTo("Cool");
    assertThat(cool.header("x-ms-access-tier-change-time")).isNotEqualTo(archived);
    assertThat(cool.header("x-ms-archive-status")).isNull();
    assertThat(cool.header("x-ms-rehydrate-priority")).isNull();
    assertThat(cool.header("ETag")).isEqualTo(etag);
    assertThat(listed()).contains("<AccessTier>Cool</AccessTier>").doesNotContain("Rehydrate");
    assertThat(server.owner("PUT", blob + "?comp=snapshot", "").status()).isEqualTo(201);
    assertThat(tier("Hot").status()).isEqualTo(200);
    assertThat(head().header("x-ms-access-tier")).isEqualTo("Hot");
  }

  @Test
  void aRehydrationCanOnlyBecomeMoreUrgent() {
    assertThat(tier("Hot").status()).isEqualTo(202);
    assertRefused(tier("Cool"), 409, "BlobBeingRehydrated");
    assertRefused(tier("Archive"), 409, "BlobBeingRehydrated");
    assertThat(tier("Hot", HIGH).status()).isEqualTo(202);
    assertThat(head().header("x-ms-rehydrate-priority")).isEqualTo("High");
    assertThat(tier("hot", "x-ms-rehydrate-priority: Standard").status()).isEqualTo(202);
    assertThat(head().header("x-ms-rehydrate-priority")).isEqualTo("High");
    assertRefused(tier("Hot", "x-ms-rehydrate-priority: soon"), 400, "InvalidHeaderValue");
    passSeconds(61);
    assertThat(head().header("x-ms-access-tier")).isEqualTo("Hot");
    assertThat(tier("Archive").status()).isEqualTo(200);
    assertRefused(server.owner("GET", blob, ""), 409, "BlobArchived");
  }

  @Test
  void anArchivedSnapshotStaysArchived() {
    String fresh = blob + "-fresh";
    server.owner("PUT", fresh, "content", BLOCK_BLOB);
    String time = server.owner("PUT", fresh + "?comp=snapshot", "").header("x-ms-snapshot");
    String snapshot = fresh + "?snapshot=" + time;
    assertThat(tierOf(snapshot, "Archive").status()).isEqualTo(200);
    assertRefused(server.owner("GET", snapshot, ""), 409, "BlobArchived");
    assertRefused(tierOf(snapshot, "Hot"), 409, "BlobArchived");
    assertThat(tierOf(snapshot, "Archive").status()).isEqualTo(200);
    assertThat(server.owner("GET", fresh, "").status()).isEqualTo(200);
    Answer copy = copy(snapshot, blob + "-copy", "x-ms-access-tier: Hot");
    assertThat(copy.status()).isEqualTo(202);
    assertRefused(copy(snapshot, fresh, "x-ms-access-tier: Hot"), 409, "BlobArchived");
  }

  private static Answer copy(String from, String to, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("x-ms-copy-source: http://localhost/devstoreaccount1" + from);
    return server.owner("PUT", to, "", all.toArray(String[]::new));
  }

  @Test
  void aCopyToAnOnlineTierLeavesTheArchive() {
    String copy = blob + "-copy";
    assertRefused(copy(blob, copy), 409, "BlobArchived");
    assertRefused(copy(blob, copy, ARCHIVE), 409, "BlobArchived");
    assertRefused(copy(blob, blob, "x-ms-access-tier: Hot"), 409, "BlobArchived");
    assertRefused(
        copy(blob, copy, "x-ms-access-tier: Hot", "x-ms-requires-sync: true"), 409, "BlobArchived");
    assertRefused(copy(blob, copy, BLOCK_BLOB, "x-ms-access-tier: Hot"), 409, "BlobArchived");
    assertRefused(copy(blob, copy + "?comp=block&blockid=MDAx"), 409, "BlobArchived");
    assertRefused(server.owner("HEAD", copy, ""), 404, "BlobNotFound");
    assertThat(copy(blob, copy, "x-ms-access-tier: Cold", HIGH).status()).isEqualTo(202);
    Answer pending = server.owner("HEAD", copy, "");
    assertThat(pending.header("x-ms-access-tier")).isEqualTo("Archive");
    assertThat(pending.header("x-ms-archive-status")).isEqualTo("rehydrate-pending-to-cold");
    assertThat(pending.header("x-ms-rehydrate-priority")).isEqualTo("High");
    assertRefused(server.owner("GET", copy, ""), 409, "BlobArchived");
    passSeconds(61);
    assertThat(server.owner("GET", copy, "").body()).isEqualTo("old wine");
    assertThat(server.owner("HEAD", copy, "").header("x-ms-access-tier")).isEqualTo("Cold");
    assertRefused(server.owner("GET", blob, ""), 409, "BlobArchived");
  }

  @Test
  void theSmartTierIsKeptByName() {
    String smart = blob + "-smart";
    server.owner("PUT", smart, "content", BLOCK_BLOB, "x-ms-access-tier: SMART");
    Answer head = server.owner("HEAD", smart, "");
    assertThat(head.header("x-ms-access-tier")).isEqualTo("Smart");
    assertThat(head.header("x-ms-smart-access-tier")).isEqualTo("Hot");
    Answer older = server.owner("GET", smart, "", "x-ms-version: 2025-01-05");
    assertThat(older.header("x-ms-access-tier")).isNull();
    Answer get = server.owner("GET", smart, "", "x-ms-version: 2026-10-06");
    assertThat(get.header("x-ms-access-tier")).isEqualTo("Smart");
    assertThat(get.header("x-ms-smart-access-tier")).isEqualTo("Hot");
    assertThat(tier("Smart").status()).isEqualTo(202);
    assertThat(head().header("x-ms-archive-status")).isEqualTo("rehydrate-pending-to-smart");
  }
}
