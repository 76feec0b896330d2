package io.lazuli.conformance.blob.switched;

import static io.lazuli.conformance.blob.Refusal.headerRefused;
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
import io.lazuli.conformance.support.Waiting;
import io.lazuli.conformance.wire.AccountProperties;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import io.lazuli.conformance.wire.WireRequest;
import io.lazuli.conformance.wire.XmlElement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Immutability policies and legal holds, on a server whose account accepts them. */
@Covers(value = Area.OPERATIONS, service = StorageService.BLOB)
@Tag("own-server")
class ImmutabilityConformanceTest {

  private static final String POLICY = "comp=immutabilityPolicies";
  private static final String HOLD = "comp=legalhold";
  private static final String UNTIL = "x-ms-immutability-policy-until-date";
  private static final String MODE = "x-ms-immutability-policy-mode";
  private static final String LEGAL_HOLD = "x-ms-legal-hold";
  private static final String BY_POLICY = "BlobImmutableDueToPolicy";
  private static final String BY_HOLD = "BlobImmutableDueToLegalHold";
  private static final String TOMORROW = inDays(1);
  private static final String LATER = inDays(2);

  private static ServerProcess server;

  private ScratchContainer container;

  @BeforeAll
  static void start() {
    server =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(),
            ServerProcess.temporaryFolder(),
            "--blob-versioning",
            "--blob-immutability");
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

  private static String inDays(int days) {
    return in(Duration.ofDays(days));
  }

  private static String in(Duration time) {
    return DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
        .withZone(ZoneOffset.UTC)
        .format(Instant.now().plus(time));
  }

  /** Stores a blob. Returns the parameter that names its version. */
  private String stored(String content) {
    WireAnswer answer = container.stored("b", content);
    return "versionid=" + Keys.encode(answer.header("x-ms-version-id").orElse(""));
  }

  private WireRequest set(String until) {
    return container.on("PUT", "b", POLICY).header(UNTIL, until);
  }

  private void hold(boolean on) {
    String value = Boolean.toString(on);
    expect(container.on("PUT", "b", HOLD).header(LEGAL_HOLD, value).send())
        .status(200)
        .header(LEGAL_HOLD, value)
        .emptyBody();
  }

  @Test
  @Documented("blob-features 6, 6.1: the policy is echoed, in lower case, and the ETag stays")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2021")
  void aPolicyIsSetShownAndDeleted() {
    stored("1");
    String etag = container.property("b", "ETag");
    expect(set(TOMORROW).header(MODE, "UNLOCKED").send())
        .status(200)
        .header(UNTIL, TOMORROW)
        .header(MODE, "unlocked")
        .lacksHeader("ETag")
        .emptyBody();
    for (WireAnswer read : List.of(container.get("b").send(), container.head("b").send())) {
      expect(read).header(UNTIL, TOMORROW).header(MODE, "unlocked").header("ETag", etag);
      expect(read).lacksHeader(LEGAL_HOLD);
    }
    expect(container.on("DELETE", "b", POLICY).send()).status(200).emptyBody();
    expect(container.head("b").send()).lacksHeader(UNTIL).lacksHeader(MODE);
  }

  @Test
  @Documented("blob-features 6.1: a hold is echoed, and absent when it is false")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2021")
  void aHoldIsSetShownAndEnded() {
    stored("1");
    hold(true);
    expect(container.get("b").send()).header(LEGAL_HOLD, "true");
    hold(false);
    expect(container.get("b").send()).lacksHeader(LEGAL_HOLD);
  }

  @Test
  @Documented("blob-features 6.1, 10.3: at the end of the properties, if the client asks")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2021")
  void listingsShowProtection() {
    stored("1");
    expect(set(TOMORROW).send()).status(200);
    hold(true);
    XmlElement both =
        BlobListing.of(container, "include=immutabilitypolicy,legalhold")
            .blob("b")
            .child("Properties");
    assertThat(both.text("ImmutabilityPolicyUntilDate")).isEqualTo(TOMORROW);
    assertThat(both.text("ImmutabilityPolicyMode")).isEqualTo("unlocked");
    assertThat(both.text("LegalHold")).isEqualTo("true");
    assertThat(both.names())
        .endsWith("ImmutabilityPolicyUntilDate", "ImmutabilityPolicyMode", "LegalHold");
    assertThat(BlobListing.of(container, "").blob("b").child("Properties").names())
        .doesNotContain("ImmutabilityPolicyUntilDate", "ImmutabilityPolicyMode", "LegalHold");
  }

  @Test
  @Documented("blob-features 6: what a container shows")
  void aContainerShowsThatItsBlobsCanHavePolicies() {
    expect(container.on("HEAD", "").send())
        .header("x-ms-immutable-storage-with-versioning-enabled", "true")
        .header("x-ms-has-immutability-policy", "false")
        .header("x-ms-has-legal-hold", "false");
  }

  @Test
  @Documented("blob-features 6.2: bad dates and modes")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2021")
  void badRequestsChangeNothing() {
    stored("1");
    refused(container.on("PUT", "b", POLICY).send(), 400, "MissingRequiredHeader");
    headerRefused(set(TOMORROW).header(MODE, "Mutable").send(), MODE, "Mutable");
    headerRefused(set("tomorrow").send(), UNTIL, "tomorrow");
    refused(set("Sat, 01 Jan 2000 00:00:00 GMT").send(), 400, "InvalidHeaderValue");
    refused(container.on("PUT", "b", HOLD).send(), 400, "MissingRequiredHeader");
    refused(
        set(TOMORROW).header("If-Unmodified-Since", "Sat, 01 Jan 2000 00:00:00 GMT").send(),
        412,
        "ConditionNotMet");
    expect(container.head("b").send()).lacksHeader(UNTIL).lacksHeader(LEGAL_HOLD);
    refused(
        container.on("PUT", "missing", POLICY).header(UNTIL, TOMORROW).send(), 404, "BlobNotFound");
    refused(
        container.on("PUT", "missing", HOLD).header(LEGAL_HOLD, "true").send(),
        404,
        "BlobNotFound");
  }

  @Test
  @Documented(
      "blob-features 6.1: If-Unmodified-Since is the only condition, and no lease is needed")
  void otherConditionsAndLeasesDoNotMatter() {
    stored("1");
    expect(container.lease("b", "acquire").header("x-ms-lease-duration", "60").send()).status(201);
    expect(set(TOMORROW).header("If-Match", "\"0x1\"").header("If-Unmodified-Since", LATER).send())
        .status(200);
    hold(true);
    expect(container.on("DELETE", "b", POLICY).send()).status(200);
  }

  @Test
  @Documented("blob-features 6.2: what an unlocked policy forbids and allows")
  void anUnlockedPolicyProtectsItsVersion() {
    String first = stored("1");
    expect(set(LATER).send()).status(200);
    refused(
        container.on("PUT", "b", "comp=metadata").header("x-ms-meta-a", "b").send(),
        409,
        BY_POLICY,
        "This operation is not permitted as the blob is immutable due to a policy.");
    refused(container.on("PUT", "b", "comp=properties").send(), 409, BY_POLICY);
    expect(container.on("PUT", "b", "comp=tier").header("x-ms-access-tier", "Cool").send())
        .status(200);
    String tags = "<Tags><TagSet><Tag><Key>a</Key><Value>1</Value></Tag></TagSet></Tags>";
    expect(container.on("PUT", "b", "comp=tags").body(tags).send()).status(204);
    stored("2");
    expect(container.head("b").send()).lacksHeader(UNTIL);
    refused(container.on("DELETE", "b", first).send(), 409, BY_POLICY);
    expect(container.on("HEAD", "b", first).send()).header(UNTIL, LATER);
    expect(container.on("PUT", "b", POLICY + "&" + first).header(UNTIL, TOMORROW).send())
        .status(200);
    expect(container.on("DELETE", "b", POLICY + "&" + first).send()).status(200);
    expect(container.on("DELETE", "b", first).send()).status(202);
  }

  @Test
  @Documented("blob-features 6.2: a locked policy can only be extended")
  void aLockedPolicyIsOnlyExtended() {
    stored("1");
    expect(set(TOMORROW).header(MODE, "Locked").send()).status(200).header(MODE, "locked");
    refused(container.on("DELETE", "b", POLICY).send(), 409, BY_POLICY);
    refused(set(inDays(3)).header(MODE, "Unlocked").send(), 409, BY_POLICY);
    expect(set(inDays(3)).header(MODE, "Locked").send()).status(200);
    refused(set(LATER).header(MODE, "Locked").send(), 409, BY_POLICY);
  }

  @Test
  @Documented("blob-features 6.2: a hold forbids the same as a policy")
  void aHoldProtectsItsVersion() {
    String first = stored("1");
    hold(true);
    refused(
        container.on("PUT", "b", "comp=metadata").send(),
        409,
        BY_HOLD,
        "This operation is not permitted as the blob is immutable due to one or more legal holds.");
    expect(container.delete("b").send()).status(202).header("x-ms-delete-type-permanent", "false");
    refused(container.on("DELETE", "b", first).send(), 409, BY_HOLD);
    expect(container.on("PUT", "b", HOLD + "&" + first).header(LEGAL_HOLD, "false").send())
        .status(200);
    expect(container.on("DELETE", "b", first).send()).status(202);
  }

  @ParameterizedTest
  @ValueSource(strings = {"BlockBlob", "AppendBlob", "PageBlob"})
  @Documented("blob-features 6.1, 6.2: headers on creation; Append Block and Put Page are refused")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2021")
  void aNewBlobIsProtected(String type) {
    WireRequest put = container.on("PUT", "b", "").header("x-ms-blob-type", type);
    if (type.equals("PageBlob")) {
      put.header("x-ms-blob-content-length", "512");
    }
    expect(put.header(UNTIL, TOMORROW).header(LEGAL_HOLD, "true").send()).status(201);
    expect(container.head("b").send())
        .header(UNTIL, TOMORROW)
        .header(MODE, "unlocked")
        .header(LEGAL_HOLD, "true");
    hold(false);
    if (type.equals("AppendBlob")) {
      refused(container.append("b", "x").send(), 409, BY_POLICY);
      refused(container.on("PUT", "b", "comp=seal").send(), 409, BY_POLICY);
    } else if (type.equals("PageBlob")) {
      refused(
          container
              .on("PUT", "b", "comp=page")
              .header("x-ms-page-write", "clear")
              .header("x-ms-range", "bytes=0-511")
              .send(),
          409,
          BY_POLICY);
    }
  }

  @Test
  @Documented("blob-features 6.1: headers on Put Block List and both copies")
  void blockListsAndCopiesAreProtected() {
    stored("1");
    expect(container.block("list", "1", "x").send()).status(201);
    expect(container.commit("list", "Latest:1").header(UNTIL, TOMORROW).send()).status(201);
    expect(container.head("list").send()).header(UNTIL, TOMORROW);
    for (String sync : List.of("false", "true")) {
      String name = "copy" + sync;
      String source = container.url("b") + "?" + container.access("b", "r").token();
      expect(
              container
                  .copy(name, source)
                  .header("x-ms-requires-sync", sync)
                  .header(LEGAL_HOLD, "true")
                  .send())
          .status(202);
      expect(container.head(name).send()).header(LEGAL_HOLD, "true");
    }
    // A copy does not take over the protection of its source.
    expect(container.copy("plain", container.url("copytrue")).send()).status(202);
    expect(container.head("plain").send()).lacksHeader(LEGAL_HOLD);
  }

  @Test
  @Documented("blob-features 6.1: do: headers on other operations are refused, not ignored")
  void headersOnOtherOperationsAreRefused() {
    stored("1");
    for (String operation : List.of("comp=metadata", "comp=snapshot", "comp=properties")) {
      refused(
          container.on("PUT", "b", operation).header(LEGAL_HOLD, "true").send(),
          400,
          "UnsupportedHeader");
    }
  }

  @Test
  @Documented("blob-features 6.1, 6.2: snapshots have their own policy")
  void snapshotsAreProtected() {
    stored("1");
    String snapshot = "snapshot=" + Keys.encode(container.snapshot("b"));
    expect(container.on("PUT", "b", POLICY + "&" + snapshot).header(UNTIL, TOMORROW).send())
        .status(200);
    refused(container.on("DELETE", "b", snapshot).send(), 409, BY_POLICY);
    refused(
        container.delete("b").header("x-ms-delete-snapshots", "include").send(), 409, BY_POLICY);
    expect(container.on("DELETE", "b", POLICY + "&" + snapshot).send()).status(200);
    expect(container.delete("b").header("x-ms-delete-snapshots", "include").send()).status(202);
  }

  @Test
  @Documented("blob-features 6.2: do: many snapshots are deleted together or not at all")
  void manySnapshotsAreDeletedTogetherOrNotAtAll() {
    AccountProperties properties = AccountProperties.remember(container.wire());
    String on = "<Enabled>true</Enabled><Days>1</Days>";
    expect(properties.set("<DeleteRetentionPolicy>" + on + "</DeleteRetentionPolicy>")).status(202);
    try {
      stored("1");
      for (int i = 0; i < 301; i++) {
        container.snapshot("b");
      }
      String last = "snapshot=" + Keys.encode(container.snapshot("b"));
      expect(container.on("PUT", "b", HOLD + "&" + last).header(LEGAL_HOLD, "true").send())
          .status(200);
      for (String which : List.of("include", "only")) {
        refused(container.delete("b").header("x-ms-delete-snapshots", which).send(), 409, BY_HOLD);
      }
      assertThat(BlobListing.of(container, "include=snapshots").entries()).hasSize(303);
      expect(container.on("PUT", "b", HOLD + "&" + last).header(LEGAL_HOLD, "false").send())
          .status(200);
      expect(container.delete("b").header("x-ms-delete-snapshots", "include").send()).status(202);
    } finally {
      properties.restore();
    }
  }

  @Test
  @Documented("blob-features 6.2: a policy that has ended allows deletion, and no changes")
  void aPolicyThatHasEndedAllowsDeletionOnly() {
    String first = stored("1");
    expect(set(in(Duration.ofSeconds(3))).header(MODE, "Locked").send()).status(200);
    stored("2");
    expect(set(in(Duration.ofSeconds(2))).send()).status(200);
    refused(container.on("DELETE", "b", first).send(), 409, BY_POLICY);
    Waiting.until(() -> container.on("DELETE", "b", first).send().status() == 202);
    refused(container.on("PUT", "b", "comp=metadata").send(), 409, BY_POLICY);
    expect(set(TOMORROW).send()).status(200).header(UNTIL, TOMORROW);
    expect(container.on("DELETE", "b", POLICY).send()).status(200);
    expect(container.on("PUT", "b", "comp=metadata").send()).status(200);
  }

  @Test
  @Documented("blob-features 6.2: do: with a policy and a hold the answer names the hold")
  void theHoldIsNamedFirst() {
    stored("1");
    expect(set(TOMORROW).send()).status(200);
    hold(true);
    refused(container.on("PUT", "b", "comp=metadata").send(), 409, BY_HOLD);
    WireRequest fromUrl = container.copy("c", container.url("b"));
    refused(
        fromUrl.header("x-ms-blob-type", "BlockBlob").header(LEGAL_HOLD, "true").send(),
        400,
        "UnsupportedHeader");
  }

  @Test
  @Documented(
      "blob-features 6.2: do: a snapshot has no policy, and the current version keeps its own")
  void aSnapshotOfAProtectedBlobIsNotProtected() {
    stored("1");
    hold(true);
    String snapshot = "snapshot=" + Keys.encode(container.snapshot("b"));
    expect(container.on("HEAD", "b", snapshot).send()).lacksHeader(LEGAL_HOLD);
    expect(container.head("b").send()).header(LEGAL_HOLD, "true");
    expect(container.on("DELETE", "b", snapshot).send()).status(202);
  }

  @Test
  @Documented("blob-features 4.3, 6.2: do: a protected blob does not expire")
  void aProtectedBlobDoesNotExpire() {
    stored("1");
    expect(
            container
                .on("PUT", "b", "comp=expiry")
                .header("x-ms-expiry-option", "RelativeToNow")
                .header("x-ms-expiry-time", "1500")
                .send())
        .status(200);
    hold(true);
    Instant end = Instant.now().plusSeconds(2);
    Waiting.until(() -> Instant.now().isAfter(end));
    expect(container.get("b").send()).status(200);
    hold(false);
    refused(container.get("b").send(), 404, "BlobNotFound");
  }

  @Test
  @Documented("blob-features 6.2: do: a container stays as long as one version is protected")
  void aContainerWithProtectedVersionsStays() {
    String first = stored("1");
    hold(true);
    stored("2");
    expect(container.delete("b").send()).status(202);
    refused(container.on("DELETE", "").send(), 409, BY_POLICY);
    expect(container.on("GET", "b", first).send()).status(200);
    expect(container.on("PUT", "b", HOLD + "&" + first).header(LEGAL_HOLD, "false").send())
        .status(200);
    expect(container.on("DELETE", "").send()).status(202);
  }

  @Test
  @Documented("blob-features 6.2: protected data never reaches soft delete")
  void softDeleteDoesNotTakeProtectedVersions() {
    AccountProperties properties = AccountProperties.remember(container.wire());
    String on = "<Enabled>true</Enabled><Days>1</Days>";
    expect(properties.set("<DeleteRetentionPolicy>" + on + "</DeleteRetentionPolicy>")).status(202);
    try {
      String first = stored("1");
      hold(true);
      stored("2");
      refused(container.on("DELETE", "b", first).send(), 409, BY_HOLD);
      expect(container.on("GET", "b", first).send()).status(200);
    } finally {
      properties.restore();
    }
  }

  @Test
  @Documented("blob-features 6.1, 9.1: the letter i, also for the headers")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2021")
  void aSignatureNeedsItsOwnLetter() {
    stored("1");
    refused(
        set(TOMORROW).sas(container.access("b", "rw")).send(),
        403,
        "AuthorizationPermissionMismatch");
    refused(
        container
            .on("PUT", "b", HOLD)
            .header(LEGAL_HOLD, "true")
            .sas(container.access("b", "rw"))
            .send(),
        403,
        "AuthorizationPermissionMismatch");
    refused(
        container.put("b", "2").header(LEGAL_HOLD, "true").sas(container.access("b", "rw")).send(),
        403,
        "AuthorizationPermissionMismatch");
    expect(set(TOMORROW).sas(container.access("b", "i")).send()).status(200);
    expect(container.on("DELETE", "b", POLICY).sas(container.access("b", "i")).send()).status(200);
    expect(
            container
                .put("b", "2")
                .header(LEGAL_HOLD, "true")
                .sas(container.access("b", "wi"))
                .send())
        .status(201);
  }
}
