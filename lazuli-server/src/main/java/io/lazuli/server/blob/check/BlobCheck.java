package io.lazuli.server.blob.check;

import io.lazuli.server.blob.encoding.BlobHistory;
import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.encoding.PageCodec;
import io.lazuli.server.blob.encoding.PendingCopyCodec;
import io.lazuli.server.blob.encoding.ProtectionRow;
import io.lazuli.server.blob.encoding.TagIndexRows;
import io.lazuli.server.blob.encoding.TaggedState;
import io.lazuli.server.blob.encoding.UncommittedBlockCodec;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.model.UncommittedBlock;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.check.Finding;
import io.lazuli.server.check.Fix;
import io.lazuli.server.check.Place;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks one blob: all rows of its partition can be read; each state has its content; counts and
 * rows of indexes agree with the states. Content that nothing names is garbage and not checked.
 * Mutable, used by one thread, blocks.
 *
 * <p>Requests may change the blob while its rows are read. Each change that gives content a name or
 * takes one away writes the properties or the summary of the former states. So findings count only
 * if these two rows are the same before and after. Otherwise the blob is read again, a few times.
 */
final class BlobCheck {
  private static final int ATTEMPTS_MAX = 3;
  private static final byte[] MARK = {1};

  private final StorageEngine engine;
  private final Place place;
  private final Partition partition;
  private final ChunkLengths chunks;
  private final List<Finding> findings = new ArrayList<>();
  private final Map<Long, Integer> bytes = new HashMap<>();
  private final Map<Long, SortedMap<Long, List<Block>>> segments = new HashMap<>();
  private final List<UncommittedRow> uncommitted = new ArrayList<>();
  private final SortedMap<Bytes, BlobProperties> states = new TreeMap<>();
  private final Set<Bytes> due = new HashSet<>();
  private byte @Nullable [] properties;
  private byte @Nullable [] history;
  private boolean damaged;

  private record UncommittedRow(long upload, UncommittedBlock block) {}

  BlobCheck(StorageEngine engine, Place place, Partition partition) {
    this.engine = engine;
    this.place = place;
    this.partition = partition;
    this.chunks = new ChunkLengths(engine.chunks());
  }

  Partition partition() {
    return partition;
  }

  /** Notes that a row cannot be read. What depends on it is not reported in addition. */
  void addDamage() {
    damaged = true;
  }

  void add(Bytes row, byte[] value) {
    try {
      addReadable(row, value);
    } catch (IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException e) {
      damaged = true;
      report("the row " + row + " cannot be read: " + e.getMessage(), Fix.removeAll(partition));
    }
  }

  private void addReadable(Bytes row, byte[] value) {
    switch (BlobRows.kind(row)) {
      case BYTES -> bytes.put(BlobRows.bytesNumber(row), value.length);
      case SEGMENT ->
          segments
              .computeIfAbsent(BlobRows.segmentVersion(row), version -> new TreeMap<>())
              .put(BlobRows.segmentStart(row), BlockSegmentCodec.decode(value));
      case UNCOMMITTED_BLOCK ->
          uncommitted.add(
              new UncommittedRow(BlobRows.uploadNumber(row), UncommittedBlockCodec.decode(value)));
      case SNAPSHOT, VERSION, DELETED -> states.put(row, BlobPropertiesCodec.decode(value));
      case PROPERTIES -> {
        properties = value;
        BlobProperties unused = BlobPropertiesCodec.decode(value);
      }
      case HISTORY -> {
        history = value;
        BlobHistory unused = BlobHistory.decode(value);
      }
      case DUE -> due.add(row);
      case PAGE_EXTENT -> {
        Object unused = PageCodec.decodeExtent(value);
      }
      case PAGE_CLEAR, PAGE_NOTE -> {
        Object unused = PageCodec.decodeRange(value);
      }
      case PAGE_BYTES, PAGE_CHUNK, GONE_CHUNK -> {}
    }
  }

  /** Returns the damage of the blob, once all rows were added. */
  List<Finding> confirmed() {
    BlobCheck last = this;
    for (int attempt = 1; ; attempt++) {
      List<Finding> result = last.finish();
      if (result.isEmpty() || last.isUnchanged()) {
        return result;
      }
      if (attempt == ATTEMPTS_MAX) {
        return List.of(); // It changes all the time; the next round checks it again.
      }
      last = reread();
    }
  }

  private BlobCheck reread() {
    BlobCheck again = new BlobCheck(engine, place, partition);
    try {
      Futures.await(
          new BlobRecords(engine, partition, Deadline.NEVER)
              .scan(
                  Bytes.EMPTY,
                  null,
                  record -> {
                    again.add(Bytes.of(record.row().copy()), record.value().copy());
                    return Visit.CONTINUE;
                  }));
    } catch (StorageException e) {
      requireDamage(e);
      again.addDamage();
    }
    return again;
  }

  private boolean isUnchanged() {
    return Arrays.equals(read(partition, BlobRows.PROPERTIES), properties)
        && Arrays.equals(read(partition, BlobRows.HISTORY), history);
  }

  private List<Finding> finish() {
    BlobProperties blob = properties == null ? null : BlobPropertiesCodec.decode(properties);
    if (damaged && findings.isEmpty()) {
      return findings; // The unreadable row was reported; its blob is checked after a repair.
    }
    if (findings.isEmpty()) {
      if (blob != null) {
        checkBlob(blob);
      }
      states.forEach(this::checkState);
      checkHistory();
      checkDue();
      checkProtection(blob);
    }
    return findings;
  }

  private void checkState(Bytes row, BlobProperties state) {
    checkContent(describe(row), state);
    if (BlobRows.isVersion(row)) {
      checkTags(describe(row), BlobRows.versionTicks(row), state);
    }
  }

  private void checkBlob(BlobProperties blob) {
    if (blob.isCommitted()) {
      checkContent("", blob);
    }
    long snapshots = count(BlobRows.SNAPSHOTS, BlobRows.SNAPSHOTS_END);
    if (blob.snapshots().count() != snapshots) {
      SnapshotCount right = new SnapshotCount((int) snapshots, blob.snapshots().lastTicks());
      report(
          "it counts %d snapshots and has %d".formatted(blob.snapshots().count(), snapshots),
          Fix.put(
              partition,
              BlobRows.PROPERTIES,
              BlobPropertiesCodec.encode(blob.withSnapshots(right))));
    }
    for (UncommittedRow row : uncommitted) {
      if (row.upload() == blob.upload().number()) {
        checkPlace("uncommitted block", row.block().place(), row.block().length());
      }
    }
    checkTags("", 0, blob);
    if (blob.copy() != null && blob.isCopyPending()) {
      Partition copies = new Partition(partition.space(), IndexPartitions.COPIES);
      if (read(copies, PendingCopyCodec.row(blob.copy().id())) == null) {
        report("its pending copy is not in the index", Fix.NONE);
      }
    }
  }

  /**
   * Checks that the index has the tags of a state. Tags that an older server left are not in it
   * until the collector has found them.
   */
  private void checkTags(String what, long version, BlobProperties blob) {
    TaggedState state = new TaggedState(version, blob.tags());
    if (!blob.isSearchable() || !state.isIndexed()) {
      return;
    }
    Bytes row = state.row(partition.name());
    blob.tags()
        .values()
        .forEach(
            (key, value) -> {
              Partition index =
                  new Partition(partition.space(), state.index().partition(key, value));
              if (read(index, row) == null) {
                report(
                    what + "its tag " + key + " is not in the index",
                    Fix.put(index, row, new byte[] {TagIndexRows.FORMAT}));
              }
            });
  }

  /** Checks that the content of a state is complete: blocks without gaps, and all their bytes. */
  private void checkContent(String state, BlobProperties blob) {
    if (blob.type() == BlobType.PAGE) {
      new PageCheck(engine, partition, bytesOfPages(state), chunks).check(blob);
      return;
    }
    long length = blob.content().length();
    long at = 0;
    SortedMap<Long, List<Block>> list =
        segments.getOrDefault(blob.content().version(), new TreeMap<>());
    for (Map.Entry<Long, List<Block>> segment : list.entrySet()) {
      if (at >= length || segment.getKey() != at) {
        break;
      }
      for (Block block : segment.getValue()) {
        checkPlace(state + "content at offset " + at, block.place(), block.length());
        at += block.length();
      }
    }
    if (at != length) {
      report(
          "%scontent has %d bytes instead of %d".formatted(state, at, length),
          Fix.removeAll(partition));
    }
  }

  private PageCheck.Problems bytesOfPages(String state) {
    return problem -> report(state + problem, Fix.removeAll(partition));
  }

  private void checkPlace(String what, BlockPlace at, long length) {
    String problem;
    if (at.inChunk()) {
      problem = chunks.problem(at.number(), length, length);
    } else {
      Integer stored = bytes.get(at.number());
      problem = stored == null ? "is missing" : stored == length ? "" : "has " + stored + " bytes";
    }
    if (!problem.isEmpty()) {
      report(what + " " + problem, Fix.removeAll(partition));
    }
  }

  private void checkHistory() {
    long versions = count(BlobRows.VERSIONS, BlobRows.VERSIONS_END);
    long removed = states.size() - versions - count(BlobRows.SNAPSHOTS, BlobRows.SNAPSHOTS_END);
    BlobHistory stored = history == null ? BlobHistory.NONE : BlobHistory.decode(history);
    if (stored.versions() != versions || stored.deleted() != removed) {
      BlobHistory right = stored.withVersions(versions).withDeleted(removed);
      report(
          "it counts %d versions and %d deleted states and has %d and %d"
              .formatted(stored.versions(), stored.deleted(), versions, removed),
          right.isEmpty()
              ? Fix.remove(partition.row(BlobRows.HISTORY))
              : Fix.put(partition, BlobRows.HISTORY, right.encode()));
    }
  }

  /** Checks that each deleted state is removed in time, and that nothing else is. */
  private void checkDue() {
    Set<Bytes> needed = new HashSet<>();
    states.forEach(
        (row, state) -> {
          SoftDeletion deletion = state.optional().deletion();
          if (BlobRows.kind(row) == BlobRows.Kind.DELETED && deletion != null) {
            needed.add(BlobRows.due(deletion.endTicks(), row));
            requireIndexed(deletion.endTicks());
          }
        });
    for (Bytes row : needed) {
      if (!due.contains(row)) {
        report("a deleted state has no time of removal", Fix.put(partition, row, MARK.clone()));
      }
    }
    for (Bytes row : due) {
      if (!needed.contains(row)) {
        report("a removal has no deleted state", Fix.remove(partition.row(row)));
      }
    }
  }

  private void requireIndexed(long endTicks) {
    Partition index = new Partition(partition.space(), IndexPartitions.dueRemovals(endTicks));
    if (read(index, partition.name()) == null) {
      report(
          "the removal of a deleted state is not in the index",
          Fix.put(index, partition.name(), MARK.clone()));
    }
  }

  /** Checks that the deletion of the container would find the blob if one of its states is held. */
  private void checkProtection(@Nullable BlobProperties blob) {
    boolean isProtected =
        (blob != null && blob.changeRefusal() != null)
            || states.values().stream().anyMatch(state -> state.changeRefusal() != null);
    Space container = partition.space();
    Partition complete = new Partition(container, IndexPartitions.PROTECTED);
    if (!isProtected || read(complete, ProtectionRow.KEY) == null) {
      return;
    }
    Partition index = new Partition(container, IndexPartitions.protectedBlob(partition.name()));
    if (read(index, ProtectionRow.KEY) == null) {
      report(
          "its protection is not in the index",
          Fix.put(index, ProtectionRow.KEY, ProtectionRow.at(engine.now()).encode()));
    }
  }

  private long count(Bytes from, Bytes to) {
    return states.subMap(from, to).size();
  }

  private static String describe(Bytes row) {
    return switch (BlobRows.kind(row)) {
      case SNAPSHOT -> "snapshot: ";
      case VERSION -> "version: ";
      default -> "deleted state: ";
    };
  }

  private byte @Nullable [] read(Partition of, Bytes row) {
    try {
      return Futures.await(engine.read(of.row(row), Deadline.NEVER));
    } catch (StorageException e) {
      requireDamage(e);
      return null;
    }
  }

  private static void requireDamage(StorageException e) {
    if (e.kind() != StorageException.Kind.CORRUPT) {
      throw e;
    }
  }

  private void report(String problem, Fix fix) {
    String key = ContainerCheck.key(Position.startOf(partition.name()));
    Finding finding = new Finding(place, key, problem, fix);
    if (findings.stream().noneMatch(known -> known.problem().equals(problem))) {
      findings.add(finding);
    }
  }
}
