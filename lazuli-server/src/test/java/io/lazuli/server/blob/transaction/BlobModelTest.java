package io.lazuli.server.blob.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.blob.garbage.LiveContent;
import io.lazuli.server.blob.garbage.RemoveBody;
import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.BlockListEntry.Source;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.ETagCondition;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs random histories of one blob against a model of strings and maps: content, blocks,
 * snapshots, conditions and a lease, with sweeps in between and across operations.
 */
class BlobModelTest {
  private static final int STEPS = 1_500;
  private static final UUID HOLDER = new UUID(0, 1);
  private static final List<Source> SOURCES = List.of(Source.values());
  private static final List<DeletedSnapshots> SAID = List.of(DeletedSnapshots.values());

  private final AtomicLong clock = new AtomicLong(Ticks.systemNow());
  private final Model model = new Model();
  private int written;

  /** A simple model of a blob. */
  private static final class Model {
    @Nullable BlobType type;
    String content = "";
    List<String> committedIds = List.of();
    List<String> committed = List.of();
    final Map<String, String> uncommitted = new TreeMap<>();
    final Map<Long, String> snapshots = new TreeMap<>();
    long etag;
    boolean leased;
    long leaseEnd;

    void replace(BlobType newType, List<String> ids, List<String> blocks) {
      type = newType;
      committedIds = List.copyOf(ids);
      committed = List.copyOf(blocks);
      content = String.join("", blocks);
      uncommitted.clear();
    }

    void clear() {
      replace(BlobType.BLOCK, List.of(), List.of());
      type = null;
      leased = false;
      snapshots.clear();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void historiesEqualTheModel(long seed) {
    Random random = new Random(seed);
    try (StorageEngine engine =
        new InMemoryEngineProvider()
            .open(EngineConfig.of(Path.of("unused")).withTicks(clock::get))) {
      TestBlob blob = new TestBlob(engine);
      for (int step = 0; step < STEPS; step++) {
        clock.addAndGet(random.nextInt(2) * random.nextLong(4 * Ticks.PER_SECOND));
        LiveContent live = random.nextInt(4) == 0 ? blob.live(Long.MAX_VALUE) : null;
        step(blob, random);
        if (live != null) {
          blob.run(new RemoveBody(live.properties(), live.garbage(), List.of()));
        }
        compare(blob, "seed " + seed + ", step " + step);
      }
    }
    assertThat(written).isGreaterThan(STEPS / 8);
  }

  private void step(TestBlob blob, Random random) {
    switch (random.nextInt(12)) {
      case 0 -> put(blob, random, BlobType.BLOCK, "put" + random.nextInt(100));
      case 1 -> put(blob, random, BlobType.APPEND, "");
      case 2, 3 -> append(blob, random);
      case 4, 5 -> putBlock(blob, random);
      case 6, 7 -> commit(blob, random);
      case 8 -> snapshot(blob);
      case 9 -> deleteSnapshot(blob, random);
      case 10 -> delete(blob, random);
      default -> lease(blob, random);
    }
  }

  private void put(TestBlob blob, Random random, BlobType type, String content) {
    Given given = given(blob, random);
    ServiceError expected = refusal(given, true);
    if (expected == null && model.type != null && model.type != type) {
      expected = BlobErrors.INVALID_BLOB_TYPE;
    }
    TransactionResult<BlobProperties> result =
        blob.run(TestBlob.putBody(given.terms, type, content));
    if (happened(expected, result)) {
      model.replace(type, List.of(), content.isEmpty() ? List.of() : List.of(content));
      wrote(result.orThrow());
    }
  }

  private void append(TestBlob blob, Random random) {
    Given given = given(blob, random);
    ServiceError expected = refusal(given, false);
    if (expected == null && model.type != BlobType.APPEND) {
      expected = BlobErrors.INVALID_BLOB_TYPE;
    }
    String added = "+" + random.nextInt(1_000);
    TransactionResult<AppendBody.Appended> result =
        blob.run(TestBlob.append(given.terms, null, null, added));
    if (happened(expected, result)) {
      assertThat(result.orThrow().offset()).isEqualTo(model.content.length());
      List<String> longer = new ArrayList<>(model.committed);
      longer.add(added);
      model.replace(BlobType.APPEND, List.of(), longer);
      wrote(result.orThrow().blob());
    }
  }

  private void putBlock(TestBlob blob, Random random) {
    ServiceError expected = isLocked() ? BlobErrors.BLOB_LEASE_ID_MISSING : null;
    if (expected == null && model.type == BlobType.APPEND) {
      expected = BlobErrors.INVALID_BLOB_TYPE;
    }
    String id = String.valueOf(random.nextInt(4));
    String content = "b" + random.nextInt(1_000);
    if (happened(expected, blob.run(blob.block(id, content)))) {
      model.uncommitted.put(id, content);
      model.leased &= isLocked();
    }
  }

  /** Uses only entries that exist, so that the list can be resolved. */
  private void commit(TestBlob blob, Random random) {
    List<BlockListEntry> entries = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    List<String> blocks = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      String id = String.valueOf(random.nextInt(4));
      Source source = SOURCES.get(random.nextInt(SOURCES.size()));
      int place = model.committedIds.indexOf(id);
      String old = place < 0 ? null : model.committed.get(place);
      String fresh = model.uncommitted.get(id);
      String found =
          switch (source) {
            case COMMITTED -> old;
            case UNCOMMITTED -> fresh;
            case LATEST -> fresh == null ? old : fresh;
          };
      if (found != null) {
        entries.add(new BlockListEntry(source, new BlockId(TestBlob.text(id))));
        ids.add(id);
        blocks.add(found);
      }
    }
    Given given = given(blob, random);
    ServiceError expected = refusal(given, true);
    if (expected == null && model.type == BlobType.APPEND) {
      expected = BlobErrors.INVALID_BLOB_TYPE;
    }
    TransactionResult<CommitBody.Outcome> result = blob.commit(given.terms, entries);
    if (happened(expected, result)) {
      model.replace(BlobType.BLOCK, ids, blocks);
      wrote(((CommitBody.Committed) result.orThrow()).blob());
    }
  }

  private void snapshot(TestBlob blob) {
    ServiceError expected = model.type == null ? BlobErrors.BLOB_NOT_FOUND : null;
    TransactionResult<SnapshotBody.Taken> result = blob.run(new SnapshotBody(blob.terms(), null));
    if (happened(expected, result)) {
      model.snapshots.put(result.orThrow().ticks(), model.content);
    }
  }

  private void deleteSnapshot(TestBlob blob, Random random) {
    List<Long> times = new ArrayList<>(model.snapshots.keySet());
    if (!times.isEmpty()) {
      long ticks = times.get(random.nextInt(times.size()));
      blob.done(new DeleteSnapshotBody(Conditions.NONE, ticks, 0));
      model.snapshots.remove(ticks);
    }
  }

  private void delete(TestBlob blob, Random random) {
    Given given = given(blob, random);
    DeletedSnapshots said = SAID.get(random.nextInt(SAID.size()));
    TransactionResult<DeleteBody.Outcome> result = blob.run(new DeleteBody(given.terms, said));
    if (model.type == null && !model.uncommitted.isEmpty()) {
      assertThat(TestBlob.refusal(result)).isNull();
      if (said != DeletedSnapshots.ONLY) {
        model.clear();
      }
      return;
    }
    ServiceError expected = refusal(given, false);
    if (expected == null && said == DeletedSnapshots.NOT_SAID && !model.snapshots.isEmpty()) {
      expected = BlobErrors.SNAPSHOTS_PRESENT;
    }
    if (happened(expected, result)) {
      if (said == DeletedSnapshots.ONLY) {
        model.snapshots.clear();
      } else {
        model.clear();
      }
    }
  }

  /** Another client acquires a lease for 15 seconds, or releases it. */
  private void lease(TestBlob blob, Random random) {
    boolean acquire = random.nextInt(3) > 0;
    LeaseAction action =
        acquire ? new LeaseAction.Acquire(HOLDER, 15) : new LeaseAction.Release(HOLDER);
    ServiceError expected = null;
    if (model.type == null) {
      expected = BlobErrors.BLOB_NOT_FOUND;
    } else if (!acquire && !model.leased) {
      expected = BlobErrors.BLOB_LEASE_ACTION_MISMATCH;
    }
    if (happened(expected, blob.run(new LeaseBody(Conditions.NONE, blob.now(), action)))) {
      model.leased = acquire;
      model.leaseEnd = clock.get() + 15 * Ticks.PER_SECOND;
    }
  }

  /** The preconditions of a request, and their meaning for the model. */
  private record Given(BlobTerms terms, String condition, boolean withLease) {}

  private Given given(TestBlob blob, Random random) {
    String condition =
        List.of("", "", "", "", "match", "match", "stale", "any", "none").get(random.nextInt(9));
    Conditions conditions =
        switch (condition) {
          case "match" -> match(BlobETag.quoted(model.etag));
          case "stale" -> match("\"0x1\"");
          case "any" -> match("*");
          case "none" ->
              new Conditions(null, ETagCondition.parse("If-None-Match", "*"), null, null);
          default -> Conditions.NONE;
        };
    boolean withLease = (random.nextInt(6) == 0) != isLocked();
    return new Given(blob.terms(conditions, withLease ? HOLDER : null), condition, withLease);
  }

  private @Nullable ServiceError refusal(Given given, boolean creates) {
    boolean there = model.type != null;
    if (!there && !creates) {
      return BlobErrors.BLOB_NOT_FOUND;
    } else if (given.withLease && !(there && model.leased)) {
      return BlobErrors.BLOB_WITHOUT_LEASE;
    } else if (given.withLease && !isLocked()) {
      return BlobErrors.BLOB_LEASE_LOST;
    } else if (!given.withLease && isLocked()) {
      return BlobErrors.BLOB_LEASE_ID_MISSING;
    }
    return switch (given.condition) {
      case "match", "any" -> there ? null : BlobErrors.CONDITION_NOT_MET;
      case "stale" -> BlobErrors.CONDITION_NOT_MET;
      case "none" -> there && creates ? BlobErrors.BLOB_ALREADY_EXISTS : null;
      default -> null;
    };
  }

  private boolean isLocked() {
    return model.leased && clock.get() < model.leaseEnd;
  }

  private void wrote(BlobProperties blob) {
    assertThat(blob.changedTicks()).isGreaterThan(model.etag);
    model.etag = blob.changedTicks();
    model.leased &= isLocked();
    written++;
  }

  private static boolean happened(@Nullable ServiceError expected, TransactionResult<?> result) {
    assertThat(TestBlob.refusal(result)).isEqualTo(expected);
    assertThat(TestBlob.isUnfinished(result)).isFalse();
    return expected == null;
  }

  private void compare(TestBlob blob, String when) {
    BlobProperties found = blob.find();
    boolean committed = found != null && found.isCommitted();
    assertThat(committed).as(when).isEqualTo(model.type != null);
    if (committed) {
      assertThat(blob.content(found)).as(when).isEqualTo(model.content);
      assertThat(found.snapshots().count()).as(when).isEqualTo(model.snapshots.size());
      assertThat(found.lease().equals(Lease.NONE)).as(when).isEqualTo(!model.leased);
    }
    int blocks = found == null ? 0 : found.upload().blocks();
    assertThat(blocks).as(when).isEqualTo(model.uncommitted.size());
    model.snapshots.forEach(
        (ticks, content) ->
            assertThat(blob.content(blob.snapshot(ticks))).as(when).isEqualTo(content));
  }

  private static Conditions match(String tag) {
    return new Conditions(ETagCondition.parse("If-Match", tag), null, null, null);
  }
}
