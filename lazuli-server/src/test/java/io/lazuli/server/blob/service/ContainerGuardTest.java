package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static io.lazuli.server.blob.service.BlobsUnderTest.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.encoding.ProtectionRow;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.OptionalProperties;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.PutBlob;
import io.lazuli.server.blob.service.BlobOperation.PutBlockList;
import io.lazuli.server.blob.service.BlobOperation.SetLegalHold;
import io.lazuli.server.blob.service.BlobOperation.SetPolicy;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import io.lazuli.storage.faults.FaultyEngine;
import io.lazuli.storage.faults.FaultyEngine.Call;
import io.lazuli.storage.faults.ForwardingEngine;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Containers with protected blobs are not deleted, whatever happens at the same time. */
class ContainerGuardTest {
  private static final long DAY = 24 * 60 * 60 * Ticks.PER_SECOND;
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final ImmutabilityPolicy POLICY =
      new ImmutabilityPolicy(Ticks.of(START) + DAY, true);
  private static final Immutability POLICY_ONLY = new Immutability(POLICY, false);
  private static final Protections VERSIONS =
      (account, deadline) -> CompletableFuture.completedFuture(new BlobProtection(true, 0, false));

  /** More calls than any of the operations makes. */
  private static final int CALLS_MAX = 14;

  private final AtomicLong clock = new AtomicLong(Ticks.of(START));

  /** The operations that protect a blob. */
  enum Protecting {
    SET_POLICY(blobs -> blobs.run(new SetPolicy(at("a"), null, POLICY, Conditions.NONE))),
    SET_HOLD(blobs -> blobs.run(new SetLegalHold(at("a"), null, true))),
    PUT(
        blobs ->
            blobs.upload(
                new PutBlob(
                    at("a"), BlobType.BLOCK, settings(), RequestTerms.NONE, 1, BlobsUnderTest.ANY),
                new byte[1])),
    COMMIT(
        blobs ->
            blobs.run(
                new PutBlockList(
                    at("a"),
                    List.of(BlobsUnderTest.latest("block")),
                    settings(),
                    RequestTerms.NONE)));

    @SuppressWarnings("ImmutableEnumChecker") // It has no state.
    private final Consumer<BlobsUnderTest> work;

    Protecting(Consumer<BlobsUnderTest> work) {
      this.work = work;
    }

    private static BlobSettings settings() {
      return new BlobSettings(HttpProperties.NONE, Map.of(), BlobTags.NONE, null, POLICY_ONLY);
    }
  }

  /** An engine that does something else before one of its calls, or after the last one. */
  private static final class Interrupting extends ForwardingEngine {
    private int left;
    private @Nullable Runnable work;

    Interrupting(StorageEngine engine, int calls, Runnable work) {
      super(engine);
      this.left = calls;
      this.work = work;
    }

    private void interrupt() {
      Runnable now = work;
      if (left-- == 0 && now != null) {
        work = null;
        now.run();
      }
    }

    boolean hasInterrupted() {
      return work == null;
    }

    @Override
    public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
      interrupt();
      return super.read(key, deadline);
    }

    @Override
    public <R> CompletableFuture<R> transact(
        Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
      interrupt();
      return super.transact(partition, touch, deadline, body);
    }

    @Override
    public CompletableFuture<@Nullable Void> scan(
        Space space,
        List<KeyRange> ranges,
        Direction direction,
        Deadline deadline,
        RecordVisitor visitor) {
      interrupt();
      return super.scan(space, ranges, direction, deadline, visitor);
    }
  }

  private StorageEngine open() {
    return BlobsUnderTest.engine("memory", Path.of("unused"), clock::get);
  }

  private static BlobsUnderTest prepared(StorageEngine engine) {
    BlobsUnderTest blobs = BlobsUnderTest.protecting(engine, VERSIONS);
    blobs.put("a", new byte[1]);
    blobs.putBlock("a", "block", new byte[1]);
    return blobs;
  }

  @ParameterizedTest
  @EnumSource
  void aContainerStaysAsLongAsSomethingInItIsProtected(Protecting protecting) {
    try (StorageEngine engine = open()) {
      BlobsUnderTest blobs = prepared(engine);
      protecting.work.accept(blobs);
      blobs.put("a", new byte[2]);
      assertThat(refusal(blobs::deleteContainer)).isEqualTo(BlobErrors.IMMUTABLE_DUE_TO_POLICY);
      assertThat(blobs.get("a")).hasSize(2);
      clock.addAndGet(2 * DAY);
      ServiceError refusal = refusal(blobs::deleteContainer);
      assertThat(refusal == null).isEqualTo(protecting != Protecting.SET_HOLD);
    }
  }

  @Test
  void snapshotsAndVersionsKeepTheirContainer() {
    try (StorageEngine engine = open()) {
      BlobsUnderTest blobs = prepared(engine);
      NamedState snapshot = NamedState.snapshot(blobs.snapshot("a"));
      blobs.run(new SetLegalHold(at("a"), snapshot, true));
      assertThat(refusal(blobs::deleteContainer)).isEqualTo(BlobErrors.IMMUTABLE_DUE_TO_POLICY);
      blobs.run(new SetLegalHold(at("a"), snapshot, false));
      NamedState version = NamedState.version(blobs.properties("a").optional().versionTicks());
      blobs.put("a", new byte[3]);
      blobs.run(new SetLegalHold(at("a"), version, true));
      assertThat(refusal(blobs::deleteContainer)).isEqualTo(BlobErrors.IMMUTABLE_DUE_TO_POLICY);
      blobs.run(new SetLegalHold(at("a"), version, false));
      assertThat(refusal(blobs::deleteContainer)).isNull();
    }
  }

  /** The policy had ended when the container was deleted, and the clock is set back later. */
  @Test
  void aDeletedContainerWithAPolicyThatIsActiveAgainStays() {
    try (StorageEngine engine = open()) {
      Protections keeping =
          new Protections() {
            @Override
            public CompletableFuture<BlobProtection> of(String account, Deadline deadline) {
              return CompletableFuture.completedFuture(new BlobProtection(true, 0, false));
            }

            @Override
            public int containerDays(String account) {
              return 1;
            }
          };
      BlobsUnderTest blobs = BlobsUnderTest.protecting(engine, keeping);
      blobs.put("a", new byte[1]);
      Protecting.SET_POLICY.work.accept(blobs);
      assertThat(refusal(blobs::deleteContainer)).isEqualTo(BlobErrors.IMMUTABLE_DUE_TO_POLICY);
      clock.addAndGet(2 * DAY);
      Space space = blobs.space().withoutGate();
      blobs.deleteContainer();
      clock.addAndGet(2 * DAY);
      assertThat(engine.now()).isGreaterThan(POLICY.untilTicks());
      clock.addAndGet(-4 * DAY);
      BlobsUnderTest.round(blobs.collector());
      assertThat(records(engine, space)).isPositive();
      clock.addAndGet(5 * DAY);
      BlobsUnderTest.round(blobs.collector());
      assertThat(BlobsUnderTest.join(engine.exists(space, BlobsUnderTest.deadline()))).isFalse();
    }
  }

  private static int records(StorageEngine engine, Space space) {
    int[] records = new int[1];
    BlobsUnderTest.join(
        engine.scan(
            space,
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            BlobsUnderTest.deadline(),
            record -> {
              records[0]++;
              return Visit.CONTINUE;
            }));
    return records[0];
  }

  @Test
  void aContainerThatHadNoProtectedBlobsIsNotSearched() {
    try (StorageEngine engine = open()) {
      prepared(engine);
      CountingEngine counting = new CountingEngine(engine);
      new BlobsUnderTest(counting, VERSIONS).deleteContainer();
      assertThat(counting.calls()).isEqualTo(List.of(1, 0, 0));
    }
  }

  @Test
  void aSearchSkipsContent() {
    try (StorageEngine engine = open()) {
      BlobsUnderTest blobs = prepared(engine);
      blobs.createAppendBlob("log");
      for (int i = 0; i < 50; i++) {
        blobs.append("log", new byte[10]);
      }
      blobs.run(new SetLegalHold(at("a"), null, true));
      blobs.run(new SetLegalHold(at("a"), null, false));
      CountingEngine counting = new CountingEngine(engine);
      new BlobsUnderTest(counting, VERSIONS).deleteContainer();
      assertThat(counting.recordsShown()).isLessThan(12);
    }
  }

  /** The cost of a deletion depends on the protected blobs and not on the others. */
  @Test
  void aSearchReadsOnlyBlobsThatWereProtected() {
    for (boolean held : new boolean[] {false, true}) {
      try (StorageEngine engine = open()) {
        BlobsUnderTest blobs = prepared(engine);
        for (int i = 0; i < 500; i++) {
          blobs.put("0" + i, new byte[1]);
        }
        blobs.run(new SetLegalHold(at("a"), null, true));
        blobs.run(new SetLegalHold(at("a"), null, held));
        CountingEngine counting = new CountingEngine(engine);
        ServiceError refusal = refusal(new BlobsUnderTest(counting, VERSIONS)::deleteContainer);
        assertThat(refusal != null).isEqualTo(held);
        assertThat(counting.recordsRead()).isLessThan(12);
      }
    }
  }

  /** One scan searches 100 blobs. */
  @Test
  void aSearchFindsTheLastOfManyBlobsThatWereProtected() {
    try (StorageEngine engine = open()) {
      BlobsUnderTest blobs = prepared(engine);
      for (int i = 100; i < 350; i++) {
        blobs.put("b" + i, new byte[1]);
        blobs.run(new SetLegalHold(at("b" + i), null, true));
        blobs.run(new SetLegalHold(at("b" + i), null, i == 349));
      }
      assertThat(refusal(blobs::deleteContainer)).isEqualTo(BlobErrors.IMMUTABLE_DUE_TO_POLICY);
      blobs.run(new SetLegalHold(at("b349"), null, false));
      blobs.deleteContainer();
    }
  }

  /** A row goes once no state of its blob is protected, and not before. */
  @Test
  void theIndexForgetsBlobsThatAreProtectedNoMore() {
    try (StorageEngine engine = open()) {
      BlobsUnderTest blobs = prepared(engine);
      blobs.put("b", new byte[1]);
      blobs.run(new SetLegalHold(at("a"), null, true));
      NamedState held = NamedState.version(blobs.properties("a").optional().versionTicks());
      blobs.put("a", new byte[2]);
      blobs.run(new SetLegalHold(at("b"), null, true));
      blobs.run(new SetLegalHold(at("b"), null, false));
      assertThat(blobs.indexRows()).isEqualTo(3);
      BlobsUnderTest.round(blobs.collector());
      assertThat(blobs.indexRows()).isEqualTo(3);
      clock.addAndGet(DAY + Ticks.PER_SECOND);
      BlobsUnderTest.round(blobs.collector());
      assertThat(blobs.indexRows()).isEqualTo(2);
      for (int days = 1; days < 400; days += 20) {
        clock.addAndGet(20 * DAY);
        BlobsUnderTest.round(blobs.collector());
      }
      assertThat(refusal(blobs::deleteContainer)).isEqualTo(BlobErrors.IMMUTABLE_DUE_TO_POLICY);
      blobs.run(new SetLegalHold(at("a"), held, false));
      clock.addAndGet(64 * DAY);
      BlobsUnderTest.round(blobs.collector());
      assertThat(blobs.indexRows()).isEqualTo(1);
      blobs.deleteContainer();
    }
  }

  /**
   * The collector looks at the blob between any two calls of a request, while the clock is ahead:
   * so far that an older row is due, or even the one of the request.
   */
  @ParameterizedTest
  @EnumSource
  void theIndexKeepsARowWhoseRequestIsUnderWay(Protecting protecting) {
    for (long ahead : new long[] {DAY / 2, 2 * DAY}) {
      int done = 0;
      for (int calls = 0; calls < CALLS_MAX; calls++) {
        try (StorageEngine engine = open()) {
          clock.set(Ticks.of(START));
          BlobsUnderTest blobs = prepared(engine);
          blobs.run(new SetLegalHold(at("a"), null, true));
          blobs.run(new SetLegalHold(at("a"), null, false));
          clock.addAndGet(DAY - 1);
          Runnable review =
              () -> {
                clock.addAndGet(ahead);
                BlobsUnderTest.round(blobs.collector());
                clock.addAndGet(-ahead);
              };
          BlobsUnderTest other =
              new BlobsUnderTest(new Interrupting(engine, calls, review), VERSIONS);
          ServiceError refusal = refusal(() -> protecting.work.accept(other));
          done += refusal == null ? 1 : 0;
          assertThat(isProtected(blobs)).isEqualTo(refusal == null);
          assertThat(refusal(blobs::deleteContainer) != null).isEqualTo(refusal == null);
        }
      }
      assertThat(done).isPositive();
    }
  }

  private static boolean isProtected(BlobsUnderTest blobs) {
    OptionalProperties blob = blobs.properties("a").optional();
    return blob.immutability() != null || blob.legalHold();
  }

  /** An earlier version of the server protected the blobs, and there is no index. */
  @Test
  void aContainerWithoutAnIndexIsSearchedAsAWhole() {
    try (StorageEngine engine = open()) {
      BlobsUnderTest blobs = prepared(engine);
      blobs.run(new SetLegalHold(at("a"), null, true));
      for (Bytes partition :
          List.of(
              IndexPartitions.PROTECTED, IndexPartitions.protectedBlob(new BlobName("a").key()))) {
        boolean unused =
            BlobsUnderTest.join(
                engine.transact(
                    new Partition(blobs.space(), partition),
                    List.of(),
                    BlobsUnderTest.deadline(),
                    view -> {
                      view.delete(ProtectionRow.KEY);
                      return true;
                    }));
      }
      assertThat(blobs.indexRows()).isZero();
      assertThat(refusal(blobs::deleteContainer)).isEqualTo(BlobErrors.IMMUTABLE_DUE_TO_POLICY);
      blobs.run(new SetLegalHold(at("a"), null, true));
      assertThat(refusal(blobs::deleteContainer)).isEqualTo(BlobErrors.IMMUTABLE_DUE_TO_POLICY);
      blobs.run(new SetLegalHold(at("a"), null, false));
      blobs.deleteContainer();
    }
  }

  /** A deletion comes between any two calls of a request that protects a blob. */
  @ParameterizedTest
  @EnumSource
  void aProtectionThatIsAcknowledgedIsNotLost(Protecting protecting) {
    int deletions = 0;
    int protections = 0;
    for (int calls = 0; calls < CALLS_MAX; calls++) {
      try (StorageEngine engine = open()) {
        BlobsUnderTest blobs = prepared(engine);
        @Nullable ServiceError[] deletion = {CommonErrors.SERVER_BUSY};
        Interrupting between =
            new Interrupting(engine, calls, () -> deletion[0] = refusal(blobs::deleteContainer));
        BlobsUnderTest other = new BlobsUnderTest(between, VERSIONS);
        ServiceError protection = refusal(() -> protecting.work.accept(other));
        check(blobs, protection, deletion[0]);
        deletions += deletion[0] == null ? 1 : 0;
        protections += protection == null ? 1 : 0;
      }
    }
    assertThat(deletions).isPositive();
    assertThat(protections).isPositive();
  }

  /** A protection comes between any two calls of a deletion, before and after an earlier one. */
  @ParameterizedTest
  @EnumSource
  void aDeletionSeesWhatWasProtectedInBetween(Protecting protecting) {
    int interrupted = 0;
    for (int calls = 0; calls < CALLS_MAX; calls++) {
      for (boolean guarded : new boolean[] {false, true}) {
        try (StorageEngine engine = open()) {
          BlobsUnderTest blobs = prepared(engine);
          if (guarded) {
            blobs.run(new SetLegalHold(at("a"), null, true));
            blobs.run(new SetLegalHold(at("a"), null, false));
          }
          @Nullable ServiceError[] protection = {CommonErrors.SERVER_BUSY};
          Interrupting between =
              new Interrupting(
                  engine,
                  calls,
                  () -> protection[0] = refusal(() -> protecting.work.accept(blobs)));
          ServiceError deletion = refusal(new BlobsUnderTest(between, VERSIONS)::deleteContainer);
          check(blobs, protection[0], deletion);
          interrupted += between.hasInterrupted() ? 1 : 0;
        }
      }
    }
    assertThat(interrupted).isGreaterThan(2);
  }

  /** Checks that not both were acknowledged, and that the winner has what it was promised. */
  private static void check(
      BlobsUnderTest blobs, @Nullable ServiceError protection, @Nullable ServiceError deletion) {
    assertThat(protection == null && deletion == null).isFalse();
    if (protection == null) {
      assertThat(blobs.get("a")).hasSize(1);
      assertThat(refusal(blobs::deleteContainer)).isEqualTo(BlobErrors.IMMUTABLE_DUE_TO_POLICY);
    }
    if (deletion == null) {
      assertThat(refusal(() -> blobs.get("a"))).isEqualTo(BlobErrors.CONTAINER_NOT_FOUND);
    }
  }

  /** Every call of a protecting request fails once, or its reply is lost. */
  @ParameterizedTest
  @EnumSource
  void aFailureLeavesAContainerThatIsSafe(Protecting protecting) {
    for (Call call : List.of(Call.TRANSACT, Call.TRANSACT_REPLY, Call.READ)) {
      Kind kind = call == Call.TRANSACT_REPLY ? Kind.UNKNOWN_OUTCOME : Kind.UNAVAILABLE;
      int failed = 0;
      for (int step = 0; step < CALLS_MAX; step++) {
        try (FaultyEngine engine = new FaultyEngine(open())) {
          BlobsUnderTest blobs = prepared(engine);
          engine.passNext(call, step);
          engine.failNext(call, kind);
          ServiceError refusal = refusal(() -> protecting.work.accept(blobs));
          engine.failNoMore();
          failed += refusal == null ? 0 : 1;
          boolean there = isProtected(blobs);
          assertThat(refusal != null || there).isTrue();
          assertThat(refusal(blobs::deleteContainer) != null).isEqualTo(there);
        }
      }
      assertThat(failed).isBetween(1, CALLS_MAX - 1);
    }
  }

  /** Every call of a deletion fails once, or its reply is lost. */
  @Test
  void aDeletionThatFailsRemovesNothingProtected() {
    for (Call call : List.of(Call.TRANSACT, Call.TRANSACT_REPLY, Call.SCAN)) {
      Kind kind = call == Call.TRANSACT_REPLY ? Kind.UNKNOWN_OUTCOME : Kind.UNAVAILABLE;
      for (int step = 0; step < 4; step++) {
        for (boolean held : new boolean[] {false, true}) {
          try (FaultyEngine engine = new FaultyEngine(open())) {
            BlobsUnderTest blobs = prepared(engine);
            blobs.run(new SetLegalHold(at("a"), null, true));
            blobs.run(new SetLegalHold(at("a"), null, held));
            engine.passNext(call, step);
            engine.failNext(call, kind);
            ServiceError refusal = refusal(blobs::deleteContainer);
            engine.failNoMore();
            if (held) {
              assertThat(refusal).isNotNull();
              assertThat(blobs.get("a")).hasSize(1);
            } else if (refusal != null && call != Call.TRANSACT_REPLY) {
              assertThat(blobs.get("a")).hasSize(1);
              blobs.deleteContainer();
            }
          }
        }
      }
    }
  }
}
