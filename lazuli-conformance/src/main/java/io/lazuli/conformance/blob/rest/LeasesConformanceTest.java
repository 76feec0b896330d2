package io.lazuli.conformance.blob.rest;

import static io.lazuli.conformance.blob.Refusal.refused;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.blob.BlobListing;
import io.lazuli.conformance.blob.Refusal;
import io.lazuli.conformance.blob.ScratchContainer;
import io.lazuli.conformance.support.Waiting;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Leases of blobs and containers: the effect of each operation in each state. */
@Covers(value = Area.CONCURRENCY, service = StorageService.BLOB)
class LeasesConformanceTest {

  private static final String A = "11111111-aaaa-4aaa-8aaa-111111111111";
  private static final String B = "22222222-bbbb-4bbb-8bbb-222222222222";
  private static final String C = "33333333-cccc-4ccc-8ccc-333333333333";

  private final ScratchContainer container = ScratchContainer.create();

  /** The resources that can be leased. */
  enum Resource {
    BLOB,
    CONTAINER;

    WireRequest lease(ScratchContainer container, String action) {
      return this == BLOB
          ? container.lease("b", action)
          : container.on("PUT", "comp=lease").header("x-ms-lease-action", action);
    }

    WireAnswer properties(ScratchContainer container) {
      return this == BLOB ? container.head("b").send() : container.on("GET", "").send();
    }
  }

  private static WireRequest acquire(ScratchContainer in, Resource of, int seconds, String id) {
    return of.lease(in, "acquire")
        .header("x-ms-lease-duration", String.valueOf(seconds))
        .header("x-ms-proposed-lease-id", id);
  }

  /**
   * Creates the request for an operation of the table of blob-rest 5.1, such as {@code renew A}.
   */
  private static WireRequest operation(ScratchContainer in, Resource of, String operation) {
    String[] words = operation.split(" ", -1);
    String who = words.length > 1 ? words[1] : "";
    return switch (words[0]) {
      case "acquire" ->
          who.isEmpty()
              ? of.lease(in, "acquire").header("x-ms-lease-duration", "15")
              : acquire(in, of, 15, id(who));
      case "renew", "release" -> of.lease(in, words[0]).header("x-ms-lease-id", id(who));
      case "change" ->
          of.lease(in, "change")
              .header("x-ms-lease-id", id(who))
              .header("x-ms-proposed-lease-id", id(words[2]));
      case "break" ->
          who.isEmpty()
              ? of.lease(in, "break")
              : of.lease(in, "break").header("x-ms-lease-break-period", who);
      default -> throw new IllegalArgumentException(operation);
    };
  }

  private static String id(String letter) {
    return switch (letter) {
      case "A" -> A;
      case "B" -> B;
      default -> C;
    };
  }

  private static void bring(ScratchContainer in, Resource of, String state) {
    in.stored("b", "x");
    if (!state.equals("available")) {
      boolean infinite = state.equals("infinite");
      expect(acquire(in, of, infinite ? -1 : 60, A).send()).status(201);
    }
    if (state.equals("breaking")) {
      expect(operation(in, of, "break 60").send()).status(202);
    } else if (state.equals("broken")) {
      expect(operation(in, of, "break 0").send()).status(202);
    }
  }

  private static final String MISMATCH = "LeaseIdMismatchWithLeaseOperation";

  private static final String NOT_PRESENT = "LeaseNotPresentWithLeaseOperation";
  private static final String PRESENT = "LeaseAlreadyPresent";
  private static final String BROKEN = "LeaseIsBrokenAndCannotBeRenewed";

  /**
   * Returns the rows of blob-rest 5.1. Each row has an operation and its outcome in the states
   * available, leased, breaking and broken: the next state and lease id, or an error code.
   */
  static List<String[]> rows() {
    return List.of(
        row("acquire", "leased", PRESENT, PRESENT, "leased"),
        row("acquire A", "leased A", "leased A", "LeaseIsBreakingAndCannotBeAcquired", "leased A"),
        row("acquire B", "leased B", PRESENT, PRESENT, "leased B"),
        row("renew A", MISMATCH, "leased A", BROKEN, BROKEN),
        row("renew B", MISMATCH, MISMATCH, MISMATCH, MISMATCH),
        row(
            "change A B",
            NOT_PRESENT,
            "leased B",
            "LeaseIsBreakingAndCannotBeChanged",
            NOT_PRESENT),
        row("change B A", "409", "leased A", "409", "409"),
        row("change B C", "409", MISMATCH, MISMATCH, "409"),
        row("release A", MISMATCH, "available", "available", "available"),
        row("release B", MISMATCH, MISMATCH, MISMATCH, MISMATCH),
        row("break 0", NOT_PRESENT, "broken", "broken", "broken"),
        row("break 5", NOT_PRESENT, "breaking", "breaking", "broken"),
        row("break", NOT_PRESENT, "breaking", "breaking", "broken"));
  }

  private static String[] row(String... cells) {
    return cells;
  }

  static List<Arguments> cells() {
    List<Arguments> cells = new ArrayList<>();
    String[] states = {"available", "leased", "breaking", "broken"};
    for (Resource resource : Resource.values()) {
      for (String[] row : rows()) {
        for (int i = 0; i < states.length; i++) {
          cells.add(Arguments.of(resource, row[0], states[i], row[i + 1]));
        }
      }
    }
    return cells;
  }

  @ParameterizedTest
  @MethodSource("cells")
  @Documented("blob-rest 5.1, 20.9: every cell except those of expired leases")
  void anOperationDoesWhatTheTableSays(
      Resource resource, String operation, String state, String outcome) {
    bring(container, resource, state);
    WireAnswer before = resource.properties(container);
    WireAnswer answer = operation(container, resource, operation).send();
    if (outcome.startsWith("Lease")) {
      refused(answer, 409, outcome);
    } else if (outcome.equals("409")) {
      expect(answer).status(409).hasHeader("x-ms-error-code");
    } else {
      expectDone(operation, answer);
      expect(answer).header("ETag", before.etag()).hasHeader("Last-Modified").emptyBody();
      expectState(resource, outcome, answer);
    }
  }

  private static void expectDone(String operation, WireAnswer answer) {
    String action = operation.split(" ", -1)[0];
    switch (action) {
      case "acquire" -> expect(answer).status(201).hasHeader("x-ms-lease-id");
      case "renew", "change" -> expect(answer).status(200).hasHeader("x-ms-lease-id");
      case "release" -> expect(answer).status(200).lacksHeader("x-ms-lease-id");
      default -> expect(answer).status(202).hasHeader("x-ms-lease-time");
    }
  }

  private void expectState(Resource resource, String outcome, WireAnswer answer) {
    String state = outcome.split(" ", -1)[0];
    if (outcome.contains(" ")) {
      expect(answer).header("x-ms-lease-id", id(outcome.split(" ", -1)[1]));
    }
    boolean locked = state.equals("leased") || state.equals("breaking");
    WireAnswer properties = resource.properties(container);
    expect(properties)
        .header("x-ms-lease-state", state)
        .header("x-ms-lease-status", locked ? "locked" : "unlocked");
    if (state.equals("leased")) {
      expect(properties).header("x-ms-lease-duration", "fixed");
    } else {
      expect(properties).lacksHeader("x-ms-lease-duration");
    }
    if (state.equals("broken")) {
      expect(answer).header("x-ms-lease-time", "0");
    }
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 5, 5.1: infinite leases; how long a break takes")
  void aBreakTakesAsLongAsItMay(Resource resource) {
    container.stored("b", "x");
    expect(acquire(container, resource, -1, A).send()).status(201);
    expect(resource.properties(container)).header("x-ms-lease-duration", "infinite");
    expect(operation(container, resource, "break 20").send()).header("x-ms-lease-time", "20");
    assertThat(timeOf(operation(container, resource, "break 60").send())).isBetween(15, 20);
    assertThat(timeOf(operation(container, resource, "break").send())).isBetween(15, 20);
    assertThat(timeOf(operation(container, resource, "break 3").send())).isBetween(1, 3);
    expect(operation(container, resource, "break 0").send()).header("x-ms-lease-time", "0");
    expect(acquire(container, resource, -1, A).send()).status(201);
    expect(operation(container, resource, "break").send()).header("x-ms-lease-time", "0");
    expect(acquire(container, resource, 30, A).send()).status(201);
    assertThat(timeOf(operation(container, resource, "break").send())).isBetween(20, 30);
    expect(operation(container, resource, "release A").send()).status(200);
    expect(acquire(container, resource, 20, A).send()).status(201);
    assertThat(timeOf(operation(container, resource, "break 60").send())).isBetween(10, 20);
  }

  private static int timeOf(WireAnswer answer) {
    expect(answer).status(202).hasHeader("x-ms-lease-time");
    return Integer.parseInt(answer.header("x-ms-lease-time").orElse("-1"));
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 5: ids are not case-sensitive")
  void idsHaveNoCase(Resource resource) {
    container.stored("b", "x");
    expect(acquire(container, resource, -1, A).send()).status(201);
    expect(
            resource
                .lease(container, "renew")
                .header("x-ms-lease-id", A.toUpperCase(Locale.ROOT))
                .send())
        .status(200);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 5: wrong or missing headers")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theHeadersOfALeaseAreChecked(Resource resource) {
    container.stored("b", "x");
    for (String seconds : List.of("10", "70", "-10", "0", "soon")) {
      Refusal.headerRefused(
          resource.lease(container, "acquire").header("x-ms-lease-duration", seconds).send(),
          "x-ms-lease-duration",
          seconds);
    }
    Refusal.headerRefused(
        acquire(container, resource, 15, "me").send(), "x-ms-proposed-lease-id", "me");
    for (String period : List.of("61", "-1")) {
      Refusal.headerRefused(
          operation(container, resource, "break " + period).send(),
          "x-ms-lease-break-period",
          period);
    }
    Refusal.headerRefused(
        resource.lease(container, "renew").header("x-ms-lease-id", "me").send(),
        "x-ms-lease-id",
        "me");
    refused(
        resource.lease(container, "steal").header("x-ms-lease-id", A).send(),
        400,
        "InvalidHeaderValue");
    for (String action : List.of("acquire", "renew", "change", "release")) {
      refused(resource.lease(container, action).send(), 400, "MissingRequiredHeader");
    }
    refused(
        resource.lease(container, "change").header("x-ms-lease-id", A).send(),
        400,
        "MissingRequiredHeader");
    refused(
        resource.lease(container, "acquire").without("x-ms-lease-action").send(),
        400,
        "MissingRequiredHeader");
  }

  @Test
  @Documented("blob-rest 5: a blob or container that does not exist cannot be leased")
  void aMissingBlobCannotBeLeased() {
    refused(operation(container, Resource.BLOB, "acquire").send(), 404, "BlobNotFound");
    ScratchContainer missing = ScratchContainer.named(ScratchContainer.freshName());
    refused(operation(missing, Resource.CONTAINER, "acquire").send(), 404, "ContainerNotFound");
  }

  /** The writes that need the lease id of a locked blob. */
  enum Write {
    PUT_BLOB,
    PUT_BLOCK,
    PUT_BLOCK_LIST,
    SET_METADATA,
    SET_PROPERTIES,
    SET_TAGS,
    COPY,
    PUT_FROM_URL,
    APPEND_BLOCK,
    SEAL,
    DELETE;

    WireAnswer prepare(ScratchContainer in) {
      in.stored("source", "x");
      return this == APPEND_BLOCK || this == SEAL ? in.storedLog("b") : in.stored("b", "x");
    }

    WireRequest on(ScratchContainer in) {
      return switch (this) {
        case PUT_BLOB -> in.put("b", "y");
        case PUT_BLOCK -> in.block("b", "1", "y");
        case PUT_BLOCK_LIST -> in.commit("b");
        case SET_METADATA -> in.on("PUT", "b", "comp=metadata");
        case SET_PROPERTIES -> in.on("PUT", "b", "comp=properties");
        case SET_TAGS -> in.on("PUT", "b", "comp=tags").body("<Tags><TagSet /></Tags>");
        case COPY -> in.copy("b", in.url("source"));
        case PUT_FROM_URL -> in.copy("b", in.url("source")).header("x-ms-blob-type", "BlockBlob");
        case APPEND_BLOCK -> in.append("b", "y");
        case SEAL -> in.on("PUT", "b", "comp=seal");
        case DELETE -> in.delete("b");
      };
    }
  }

  private static void expectSuccess(WireAnswer answer) {
    assertThat(answer.status()).as("%s", answer).isBetween(200, 204);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 5.2, 20.9, 16: a locked blob is written only with its lease id")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aLockedBlobIsWrittenWithItsIdOnly(Write write) {
    write.prepare(container);
    container.leased("b", A);
    refused(
        write.on(container).send(),
        412,
        "LeaseIdMissing",
        "There is currently a lease on the blob and no lease ID was specified in the request.");
    refused(
        write.on(container).header("x-ms-lease-id", B).send(),
        412,
        "LeaseIdMismatchWithBlobOperation",
        "The lease ID specified did not match the lease ID for the blob.");
    expectSuccess(write.on(container).header("x-ms-lease-id", A).send());
    if (write != Write.DELETE) {
      assertThat(container.property("b", "x-ms-lease-state")).isEqualTo("leased");
    }
  }

  @ParameterizedTest
  @EnumSource
  @Documented("blob-rest 5.2, 20.9, 16: the id of a lease that has ended or never existed")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theIdOfALeaseThatIsNoMoreIsRefused(Write write) {
    write.prepare(container);
    refused(
        write.on(container).header("x-ms-lease-id", A).send(),
        412,
        "LeaseNotPresentWithBlobOperation",
        "There is currently no lease on the blob.");
    container.leased("b", A);
    expect(operation(container, Resource.BLOB, "break 0").send()).status(202);
    refused(
        write.on(container).header("x-ms-lease-id", A).send(),
        412,
        "LeaseLost",
        "A lease ID was specified, but the lease for the blob has expired.");
    Refusal.headerRefused(
        write.on(container).header("x-ms-lease-id", "me").send(), "x-ms-lease-id", "me");
    expectSuccess(write.on(container).send());
    if (write != Write.DELETE && write != Write.PUT_BLOCK) {
      assertThat(container.property("b", "x-ms-lease-state")).isEqualTo("available");
    }
  }

  @Test
  @Documented("blob-rest 5.2: an id for a blob that does not exist")
  void anIdForABlobThatDoesNotExistIsRefused() {
    container.stored("source", "x");
    for (Write write : List.of(Write.PUT_BLOB, Write.PUT_BLOCK_LIST, Write.COPY)) {
      refused(
          write.on(container).header("x-ms-lease-id", A).send(),
          412,
          "LeaseNotPresentWithBlobOperation");
    }
  }

  @Test
  @Documented("blob-rest 5.2: reads, Snapshot and Set Tier do not need the id but check it")
  void readsDoNotNeedTheIdButCheckIt() {
    container.stored("b", "x");
    container.leased("b", A);
    List<Supplier<WireRequest>> calls =
        List.of(
            () -> container.get("b"),
            () -> container.head("b"),
            () -> container.on("GET", "b", "comp=metadata"),
            () -> container.on("GET", "b", "comp=blocklist"),
            () -> container.on("PUT", "b", "comp=snapshot"),
            () -> container.on("PUT", "b", "comp=tier").header("x-ms-access-tier", "Cool"));
    for (Supplier<WireRequest> call : calls) {
      expectSuccess(call.get().send());
      expectSuccess(call.get().header("x-ms-lease-id", A).send());
      refused(
          call.get().header("x-ms-lease-id", B).send(), 412, "LeaseIdMismatchWithBlobOperation");
    }
    expect(container.list("").send()).status(200);
  }

  @Test
  @Documented("blob-rest 4.4: the lease is checked before the condition")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void theLeaseIsLookedAtBeforeTheCondition() {
    container.stored("b", "x");
    container.leased("b", A);
    refused(container.put("b", "y").header("If-None-Match", "*").send(), 412, "LeaseIdMissing");
    expect(operation(container, Resource.BLOB, "break 0").send()).status(202);
    refused(
        container.put("b", "y").header("If-None-Match", "*").header("x-ms-lease-id", A).send(),
        412,
        "LeaseLost");
  }

  @Test
  @Documented("blob-rest 5.2, 20.9, 16: containers")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aLeasedContainerIsDeletedWithItsIdOnly() {
    refused(
        container.on("DELETE", "").header("x-ms-lease-id", A).send(),
        412,
        "LeaseNotPresentWithContainerOperation",
        "There is currently no lease on the container.");
    expect(acquire(container, Resource.CONTAINER, -1, A).send()).status(201);
    refused(
        container.on("DELETE", "").send(),
        412,
        "LeaseIdMissing",
        "There is currently a lease on the container and no lease ID was specified in the"
            + " request.");
    refused(
        container.on("DELETE", "").header("x-ms-lease-id", B).send(),
        412,
        "LeaseIdMismatchWithContainerOperation",
        "The lease ID specified did not match the lease ID for the container.");
    container.stored("b", "x");
    expect(container.on("PUT", "comp=metadata").send()).status(200);
    for (String query : List.of("", "comp=acl")) {
      expect(container.on("GET", query).header("x-ms-lease-id", A).send()).status(200);
      refused(
          container.on("GET", query).header("x-ms-lease-id", B).send(),
          412,
          "LeaseIdMismatchWithContainerOperation");
    }
    expect(container.on("DELETE", "").header("x-ms-lease-id", A).send()).status(202);
  }

  @Test
  @Documented("blob-rest 5.2, 16: a container whose lease was broken")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2020 to 2023")
  void aContainerWithABrokenLeaseIsDeletedWithoutIt() {
    expect(acquire(container, Resource.CONTAINER, -1, A).send()).status(201);
    expect(operation(container, Resource.CONTAINER, "break 0").send()).status(202);
    refused(
        container.on("DELETE", "").header("x-ms-lease-id", A).send(),
        412,
        "LeaseLost",
        "A lease ID was specified, but the lease for the container has expired.");
    expect(container.on("DELETE", "").send()).status(202);
  }

  @Test
  @Documented("blob-rest 5.2: leased blobs do not protect their container")
  void aContainerWithLeasedBlobsCanBeDeleted() {
    container.stored("b", "x");
    container.leased("b", A);
    expect(container.on("DELETE", "").send()).status(202);
  }

  @Test
  @Documented("blob-rest 5.1, 13: listings show leases")
  void listingsShowLeases() {
    container.stored("free", "x");
    container.stored("held", "x");
    container.leased("held", A);
    BlobListing listing = BlobListing.of(container, "");
    assertThat(listing.properties("held").texts())
        .containsEntry("LeaseStatus", "locked")
        .containsEntry("LeaseState", "leased")
        .containsEntry("LeaseDuration", "infinite");
    assertThat(listing.properties("free").texts())
        .containsEntry("LeaseStatus", "unlocked")
        .containsEntry("LeaseState", "available")
        .doesNotContainKey("LeaseDuration");
  }

  @Test
  @Documented("blob-rest 5.1, 19: a break period ends")
  void aBreakPeriodEnds() {
    container.stored("b", "x");
    container.leased("b", A);
    expect(operation(container, Resource.BLOB, "break 60").send()).status(202);
    refused(container.put("b", "y").send(), 412, "LeaseIdMissing");
    // A second break may only make the period shorter.
    expect(operation(container, Resource.BLOB, "break 1").send()).status(202);
    Waiting.until(() -> container.property("b", "x-ms-lease-state").equals("broken"));
    refused(container.put("b", "y").header("x-ms-lease-id", A).send(), 412, "LeaseLost");
    expect(container.put("b", "y").send()).status(201);
    assertThat(container.property("b", "x-ms-lease-state")).isEqualTo("available");
  }

  @Test
  @Tag("long")
  @Documented("blob-rest 5.1, 5.2, 20.9: the column of expired leases")
  void anExpiredLeaseDoesWhatTheTableSays() {
    List<String> operations =
        List.of(
            "acquire",
            "acquire A",
            "acquire B",
            "renew A",
            "renew B",
            "change A B",
            "change B C",
            "release A",
            "release B",
            "break 0",
            "break 5",
            "break");
    List<ScratchContainer> each = operations.stream().map(o -> ScratchContainer.create()).toList();
    for (ScratchContainer one : each) {
      one.stored("b", "x");
      expect(acquire(one, Resource.BLOB, 15, A).send()).status(201);
    }
    Waiting.until(
        () ->
            each.stream().allMatch(one -> one.property("b", "x-ms-lease-state").equals("expired")));
    for (int i = 0; i < operations.size(); i++) {
      WireAnswer answer = operation(each.get(i), Resource.BLOB, operations.get(i)).send();
      switch (operations.get(i)) {
        case "renew B", "release B" -> refused(answer, 409, MISMATCH);
        case "change A B" -> refused(answer, 409, NOT_PRESENT);
        case "change B C" -> expect(answer).status(409);
        case "break 0", "break 5", "break" ->
            expect(answer).status(202).header("x-ms-lease-time", "0");
        default -> expectSuccess(answer);
      }
    }
  }

  @Test
  @Tag("long")
  @Documented("blob-rest 5.1, 5.2: renewing an expired lease after a write")
  void anExpiredLeaseIsNotRenewedAfterAWrite() {
    container.stored("b", "x");
    expect(acquire(container, Resource.BLOB, 15, A).send()).status(201);
    Waiting.until(() -> container.property("b", "x-ms-lease-state").equals("expired"));
    refused(container.put("b", "y").header("x-ms-lease-id", A).send(), 412, "LeaseLost");
    container.stored("b", "y");
    refused(operation(container, Resource.BLOB, "renew A").send(), 409, MISMATCH);
  }
}
