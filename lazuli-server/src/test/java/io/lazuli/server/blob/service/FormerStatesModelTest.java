package io.lazuli.server.blob.service;

import static io.lazuli.server.blob.service.BlobsUnderTest.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.garbage.BlobCollector;
import io.lazuli.server.blob.model.OptionalProperties;
import io.lazuli.server.blob.protection.BlobProtection;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.service.BlobOperation.DeleteVersion;
import io.lazuli.server.blob.service.BlobOperation.GetBlob;
import io.lazuli.server.blob.service.BlobOperation.SetLegalHold;
import io.lazuli.server.blob.service.BlobOperation.SetPolicy;
import io.lazuli.server.blob.service.BlobOperation.UndeleteBlob;
import io.lazuli.server.blob.service.BlobOutcome.BlobOpened;
import io.lazuli.server.blob.service.BlobOutcome.ListedBlob;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs random histories of one blob with soft delete and versions, which are switched on and off,
 * against a list of states, while the clock moves and the collector runs. Every content has another
 * length, which tells the states apart.
 */
class FormerStatesModelTest {
  private static final int STEPS = 400;
  private static final String NAME = "a";
  private static final long DAY = 24 * 60 * 60 * Ticks.PER_SECOND;
  private static final List<DeletedSnapshots> SAID = List.of(DeletedSnapshots.values());
  private static final FormerStates ALL = new FormerStates(true, true, false);

  /**
   * A state of the blob; mutable.
   *
   * <p>{@code order} is the place in the order of times, {@code end} the time until which a deleted
   * state can be restored. A state with a hold, or with a policy that is active, is protected.
   */
  private static final class State {
    char kind;
    int order;
    int creation;
    int length;
    boolean versioned;
    boolean deleted;
    long end;
    @Nullable ImmutabilityPolicy policy;
    boolean hold;

    State(char kind, int order, int length) {
      this.kind = kind;
      this.order = order;
      this.creation = order;
      this.length = length;
    }

    boolean isProtected(long now) {
      return hold || (policy != null && policy.untilTicks() > now);
    }

    @Override
    public String toString() {
      return kind
          + (deleted ? " deleted " : " ")
          + length
          + (hold ? " held" : "")
          + (policy == null ? "" : " until " + policy.untilTicks());
    }
  }

  private final AtomicLong clock = new AtomicLong(Ticks.of(Instant.parse("2026-03-01T12:00:00Z")));
  private final List<State> states = new ArrayList<>();
  private volatile BlobProtection protection = BlobProtection.NONE;
  private int time;
  private int length;

  @ParameterizedTest
  @CsvSource({"memory, 1", "memory, 2", "memory, 3", "memory, 4", "rocksdb, 5"})
  void historiesEqualTheModel(String name, long seed, @TempDir Path folder) {
    Random random = new Random(seed);
    try (StorageEngine engine = BlobsUnderTest.engine(name, folder, clock::get)) {
      BlobsUnderTest blobs =
          BlobsUnderTest.protecting(
              engine, (account, deadline) -> CompletableFuture.completedFuture(protection));
      BlobCollector collector = blobs.collector();
      for (int step = 0; step < STEPS; step++) {
        clock.addAndGet(1 + random.nextLong(Ticks.PER_SECOND));
        String history = name + ", seed " + seed + ", step " + step;
        step(blobs, random, history);
        states.removeIf(state -> state.deleted && state.end <= clock.get());
        if (random.nextInt(10) == 0) {
          blobs.clean();
          BlobsUnderTest.round(collector);
        }
        compare(blobs, 1 + random.nextInt(20), history);
      }
      collector.close();
    }
  }

  private void step(BlobsUnderTest blobs, Random random, String history) {
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> put(blobs, history);
      case 4, 5 -> snapshot(blobs);
      case 6 -> delete(blobs, SAID.get(random.nextInt(SAID.size())), history);
      case 7 -> deleteSnapshot(blobs, random, history);
      case 8 -> deleteVersion(blobs, random, history);
      case 9 -> undelete(blobs, history);
      case 10 ->
          protection =
              new BlobProtection(random.nextBoolean(), random.nextInt(4), random.nextBoolean());
      case 11 -> clock.addAndGet(random.nextLong(DAY));
      case 12, 13 -> setPolicy(blobs, random, history);
      case 14 -> setHold(blobs, random);
      default -> {}
    }
  }

  private @Nullable State blob() {
    return states.stream().filter(s -> s.kind == 'b' && !s.deleted).findFirst().orElse(null);
  }

  private void delete(State state) {
    if (protection.deletedDays() == 0) {
      states.remove(state);
    } else {
      state.deleted = true;
      state.end = clock.get() + protection.deletedDays() * DAY;
    }
  }

  /** Makes the blob a previous version, a deleted snapshot or nothing, before it is replaced. */
  private void replace(State old) {
    if (protection.versions() || old.versioned) {
      makePrevious(old);
    } else {
      old.kind = 's';
      old.order = ++time;
      delete(old);
    }
  }

  /** A version that was written before the switch is named after its creation. */
  private static void makePrevious(State state) {
    state.kind = 'v';
    state.order = state.versioned ? state.order : state.creation;
  }

  /** A protected state may only become a version. */
  private boolean isStuck(@Nullable State old) {
    return old != null && old.isProtected(clock.get()) && !protection.versions() && !old.versioned;
  }

  private void put(BlobsUnderTest blobs, String history) {
    State old = blob();
    ServiceError refusal = BlobsUnderTest.refusal(() -> blobs.put(NAME, new byte[++length]));
    assertThat(refusal != null).as(history).isEqualTo(isStuck(old));
    if (refusal != null) {
      return;
    }
    if (old != null) {
      replace(old);
    }
    State fresh = new State('b', ++time, length);
    fresh.versioned = protection.versions();
    fresh.creation = old == null || fresh.versioned ? fresh.order : old.creation;
    states.add(fresh);
  }

  private void snapshot(BlobsUnderTest blobs) {
    State blob = blob();
    if (blob == null) {
      return;
    }
    blobs.snapshot(NAME);
    states.add(new State('s', ++time, blob.length));
    if (protection.versions()) {
      State current = new State('b', ++time, blob.length);
      current.versioned = true;
      current.creation = blob.creation;
      current.policy = blob.policy;
      current.hold = blob.hold;
      makePrevious(blob);
      states.add(current);
    }
  }

  private void delete(BlobsUnderTest blobs, DeletedSnapshots said, String history) {
    State blob = blob();
    List<State> snapshots = live('s');
    ServiceError refusal = BlobsUnderTest.refusal(() -> blobs.delete(NAME, said));
    boolean kept =
        (said == DeletedSnapshots.NOT_SAID && !snapshots.isEmpty())
            || snapshots.stream().anyMatch(s -> s.isProtected(clock.get()))
            || (said != DeletedSnapshots.ONLY && isStuck(blob));
    assertThat(refusal == null).as(history).isEqualTo(blob != null && !kept);
    if (blob == null || kept) {
      return;
    }
    snapshots.forEach(this::delete);
    if (said != DeletedSnapshots.ONLY) {
      if (protection.versions() || blob.versioned) {
        makePrevious(blob);
      } else {
        // An older deleted blob counts as a snapshot from the time of its deletion.
        if (protection.deletedDays() != 0) {
          states.stream().filter(s -> s.kind == 'b' && s.deleted).forEach(s -> s.kind = 's');
        }
        blob.order = ++time;
        delete(blob);
      }
    }
  }

  private void deleteSnapshot(BlobsUnderTest blobs, Random random, String history) {
    List<ListedBlob> listed =
        ProtectedBlobs.items(blobs, 100, true, FormerStates.NONE).stream()
            .filter(item -> item.snapshotTicks() != null)
            .toList();
    List<State> snapshots = live('s');
    if (!listed.isEmpty()) {
      int at = random.nextInt(listed.size());
      long ticks = Objects.requireNonNull(listed.get(at).snapshotTicks());
      deleteUnlessProtected(snapshots.get(at), () -> blobs.deleteSnapshot(NAME, ticks), history);
    }
  }

  private void deleteUnlessProtected(State state, Runnable deletion, String history) {
    boolean kept = state.isProtected(clock.get());
    assertThat(BlobsUnderTest.refusal(deletion) != null).as(history).isEqualTo(kept);
    if (!kept) {
      delete(state);
    }
  }

  /** Sets a policy of any state that is not deleted. */
  private void setPolicy(BlobsUnderTest blobs, Random random, String history) {
    List<ListedBlob> listed =
        ProtectedBlobs.items(blobs, 100, true, new FormerStates(false, true, false));
    if (listed.isEmpty()) {
      return;
    }
    int at = random.nextInt(listed.size());
    State state = live().get(at);
    ImmutabilityPolicy before = state.policy;
    ImmutabilityPolicy after =
        random.nextInt(4) == 0
            ? null
            : new ImmutabilityPolicy(
                clock.get() + Ticks.PER_SECOND + random.nextLong(2 * DAY), random.nextInt(3) == 0);
    SetPolicy set = new SetPolicy(at(NAME), listed.get(at).state(), after, Conditions.NONE);
    ServiceError refusal = BlobsUnderTest.refusal(() -> blobs.run(set));
    boolean extended =
        after != null
            && after.locked()
            && before != null
            && after.untilTicks() >= before.untilTicks();
    boolean fixed =
        before != null && before.locked() && before.untilTicks() > clock.get() && !extended;
    assertThat(refusal != null).as(history).isEqualTo(fixed);
    state.policy = fixed ? before : after;
  }

  private void setHold(BlobsUnderTest blobs, Random random) {
    List<ListedBlob> listed =
        ProtectedBlobs.items(blobs, 100, true, new FormerStates(false, true, false));
    if (!listed.isEmpty()) {
      int at = random.nextInt(listed.size());
      State state = live().get(at);
      state.hold = !state.hold && random.nextBoolean();
      blobs.run(new SetLegalHold(at(NAME), listed.get(at).state(), state.hold));
    }
  }

  /** Returns the states that are not deleted, as they are listed. */
  private List<State> live() {
    return states.stream()
        .filter(s -> !s.deleted)
        .sorted(Comparator.comparing((State s) -> s.kind == 'b').thenComparingInt(s -> s.order))
        .toList();
  }

  private void deleteVersion(BlobsUnderTest blobs, Random random, String history) {
    List<ListedBlob> listed =
        ProtectedBlobs.items(blobs, 100, false, new FormerStates(false, true, false)).stream()
            .filter(item -> item.state() != null)
            .toList();
    List<State> versions = live('v');
    if (!listed.isEmpty()) {
      int at = random.nextInt(listed.size());
      long ticks = Objects.requireNonNull(listed.get(at).state()).ticks();
      deleteUnlessProtected(
          versions.get(at),
          () -> blobs.run(new DeleteVersion(at(NAME), ticks, RequestTerms.NONE)),
          history);
    }
  }

  private void undelete(BlobsUnderTest blobs, String history) {
    states.removeIf(state -> state.deleted && state.end <= clock.get());
    ServiceError refusal = BlobsUnderTest.refusal(() -> blobs.run(new UndeleteBlob(at(NAME))));
    State deletedBlob =
        states.stream().filter(s -> s.kind == 'b' && s.deleted).findFirst().orElse(null);
    boolean versions = states.stream().anyMatch(s -> s.kind == 'v');
    boolean base = blob() != null || deletedBlob != null;
    assertThat(refusal == null).as(history).isEqualTo(base || versions);
    if (deletedBlob != null && blob() != null) {
      deletedBlob.kind = 's';
    }
    for (State state : states) {
      if (state.deleted && (base || state.kind == 'v')) {
        state.deleted = false;
        // A restored snapshot is not protected any more, as its policy has ended.
        state.policy = state.kind == 's' ? null : state.policy;
      }
    }
  }

  private List<State> live(char kind) {
    return states.stream()
        .filter(s -> s.kind == kind && !s.deleted)
        .sorted(Comparator.comparingInt(s -> s.order))
        .toList();
  }

  private void compare(BlobsUnderTest blobs, int max, String history) {
    List<String> expected =
        states.stream()
            .map(this::asListed)
            .sorted(Comparator.comparing((State s) -> s.kind == 'b').thenComparingInt(s -> s.order))
            .map(State::toString)
            .toList();
    List<ListedBlob> listed = ProtectedBlobs.items(blobs, max, true, ALL);
    assertThat(listed.stream().map(FormerStatesModelTest::described).toList())
        .as(history)
        .isEqualTo(expected);
    for (ListedBlob item : listed) {
      if (item.properties().optional().deletion() == null) {
        assertThat(read(blobs, item.state())).hasSize((int) item.properties().content().length());
      }
    }
  }

  /** A deleted blob that was replaced is listed as a deleted snapshot. */
  private State asListed(State state) {
    if (state.kind != 'b' || !state.deleted || blob() == null) {
      return state;
    }
    State snapshot = new State('s', state.order, state.length);
    snapshot.deleted = true;
    snapshot.policy = state.policy;
    return snapshot;
  }

  private static String described(ListedBlob item) {
    NamedState state = item.state();
    char kind = state == null ? 'b' : state.isSnapshot() ? 's' : 'v';
    State described = new State(kind, 0, (int) item.properties().content().length());
    OptionalProperties optional = item.properties().optional();
    described.deleted = optional.deletion() != null;
    described.policy = optional.immutability();
    described.hold = optional.legalHold();
    return described.toString();
  }

  private static byte[] read(BlobsUnderTest blobs, @Nullable NamedState state) {
    BlobOpened opened =
        (BlobOpened) blobs.run(new GetBlob(at(NAME), state, null, RequestTerms.NONE));
    try (BlobReader reader = opened.content()) {
      return BlobsUnderTest.drain(reader);
    }
  }
}
