package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.PageCodec;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.page.ClearedRange;
import io.lazuli.server.blob.page.ExtentRange;
import io.lazuli.server.blob.page.PageExtent;
import io.lazuli.server.blob.page.PageRun;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes the pages of one blob that no state sees any more: rows of extents that a later write
 * superseded, and the bytes that no other rows refer to. Mutable, used once, blocks.
 *
 * <p>A write leaves a note that says which extents it wrote, and the end of a snapshot leaves one
 * for all extents. So the work depends on what was written, not on the size of the blob. The note
 * goes with the last row, or shows how far the work has come.
 *
 * <p>The order of reading matters: first the extents, then the snapshots, then the readers. A
 * snapshot or reader that begins after the extents were read has a state in which the rows that
 * were superseded by then are not seen.
 */
final class PageSweep {
  /** The number of extents that are read at a time. */
  private static final int EXTENTS_MAX = 64;

  /** The number of steps after which other partitions have their turn. */
  private static final int STEPS_MAX = 200;

  /** The number of extents, without the first, that one write touches. */
  private static final long PLACE_EXTENTS_MAX = BlobLimits.PUT_PAGE_BYTES_MAX / PageExtent.BYTES;

  private static final int ROWS_MAX = SweepPagesBody.ROWS_MAX;

  /** The outcome of a sweep. */
  enum Outcome {
    /** Everything that can be removed is gone. */
    COMPLETE,
    /** There is more to do. */
    MORE,
    /** Readers hold the rest. */
    HELD
  }

  private final StorageEngine engine;
  private final PartitionUse use;
  private final BlobRecords records;
  private final Deadline deadline;
  private final long supersededBefore;
  private final List<ChunkRef> dead = new ArrayList<>();
  private int steps;

  /**
   * @param supersededBefore rows that were superseded later are kept, for readers on other servers
   */
  PageSweep(
      StorageEngine engine,
      PartitionUse use,
      BlobRecords records,
      long supersededBefore,
      Deadline deadline) {
    this.engine = engine;
    this.use = use;
    this.records = records;
    this.supersededBefore = supersededBefore;
    this.deadline = deadline;
  }

  /** Returns the chunks that can be deleted. */
  List<ChunkRef> dead() {
    return dead;
  }

  /** Removes what it can of the garbage that was found. */
  Outcome sweep(LiveContent live) {
    for (long version : live.garbagePageVersions()) {
      if (!removeVersion(version, live)) {
        return Outcome.MORE;
      }
    }
    return live.hasPagesNoted() ? sweepNoted() : Outcome.COMPLETE;
  }

  /** Removes all pages of a version that nothing names. Returns false if there is more to do. */
  private boolean removeVersion(long version, LiveContent live) {
    while (steps++ < STEPS_MAX) {
      Set<Bytes> rows = new HashSet<>();
      Set<Long> chunks = new HashSet<>();
      collect(
          BlobRows.pageClears(version),
          BlobRows.pageClears(version + 1),
          record -> {
            rows.add(row(record));
            return rows.size() < ROWS_MAX ? Visit.CONTINUE : Visit.STOP;
          });
      collect(
          BlobRows.pageExtents(version),
          BlobRows.pageExtents(version + 1),
          record -> {
            Set<Bytes> more = new HashSet<>(List.of(row(record)));
            PageExtent pages = PageCodec.decodeExtent(record.value().copy());
            for (PageRun run : pages.runs()) {
              more.add(row(run.place()));
            }
            if (rows.size() + more.size() > ROWS_MAX) {
              return Visit.STOP;
            }
            rows.addAll(more);
            pages.runs().forEach(run -> addChunk(run.place(), chunks));
            return Visit.CONTINUE;
          });
      if (rows.isEmpty()) {
        return true;
      }
      RemoveBody body =
          new RemoveBody(live.properties(), live.history(), List.copyOf(rows), List.of());
      if (!run(body)) {
        return false;
      }
      chunks.forEach(chunk -> dead.add(new ChunkRef(chunk)));
    }
    return false;
  }

  private Outcome sweepNoted() {
    List<Work> works = new ArrayList<>();
    collect(
        BlobRows.pageClears(0), BlobRows.pageClears(Long.MAX_VALUE), record -> add(record, works));
    collect(BlobRows.PAGE_NOTES, BlobRows.PAGE_NOTES_END, record -> add(record, works));
    int swept = 0;
    for (Work work : works) {
      if (work.write() < supersededBefore) {
        swept++;
        Outcome outcome = sweep(work);
        if (outcome != Outcome.COMPLETE) {
          return outcome;
        }
      }
    }
    return swept < STEPS_MAX ? Outcome.COMPLETE : Outcome.MORE;
  }

  private static Visit add(LentRecord record, List<Work> works) {
    works.add(new Work(row(record), record.value().copy()));
    return works.size() < STEPS_MAX ? Visit.CONTINUE : Visit.STOP;
  }

  /**
   * A note or a cleared range.
   *
   * @param row its row
   * @param value its value
   */
  private record Work(Bytes row, byte[] value) {
    boolean clears() {
      return BlobRows.kind(row) == BlobRows.Kind.PAGE_CLEAR;
    }

    long write() {
      return clears() ? BlobRows.clearWrite(row) : BlobRows.noteWrite(row);
    }

    ExtentRange range() {
      return PageCodec.decodeRange(value);
    }
  }

  /** A row of an extent. */
  private record Stored(Bytes row, long write, PageExtent pages) {}

  /** The rows of one extent, newest first. */
  private record StoredExtent(long extent, List<Stored> rows) {}

  /** Carries out one note or cleared range, in steps. */
  private Outcome sweep(Work begun) {
    Work work = begun;
    while (steps++ < STEPS_MAX) {
      ExtentRange range = work.range();
      // A cleared range has no note of its own, so its edges are looked at with it.
      long from = work.clears() ? Math.max(0, range.from() - 1) : range.from();
      long to = work.clears() && range.to() < Long.MAX_VALUE ? range.to() + 1 : range.to();
      List<StoredExtent> extents = extents(range.version(), from, to, EXTENTS_MAX);
      List<StoredExtent> near = near(range.version(), extents);
      boolean complete = extents.size() < EXTENTS_MAX;
      List<ClearedRange> clears = clears(range.version());
      Set<Long> states = states(range.version());
      PartitionUse.InUse inUse = use.inUse(records.partition());
      if (inUse.everything()) {
        return Outcome.HELD;
      }
      Step step = new Step(work, supersededBefore, clears, states, inUse.states());
      extents.forEach(step::add);
      near.forEach(step::addNear);
      ExtentRange left = complete ? null : after(extents, range);
      if (!commit(work, step, step.held ? range : left)) {
        return Outcome.MORE;
      } else if (step.held) {
        return Outcome.HELD;
      } else if (left == null) {
        return Outcome.COMPLETE;
      }
      work = new Work(work.row(), PageCodec.encode(left));
    }
    return Outcome.MORE;
  }

  private static ExtentRange after(List<StoredExtent> extents, ExtentRange range) {
    long last = extents.get(extents.size() - 1).extent();
    return new ExtentRange(range.version(), Math.max(range.from(), last + 1), range.to());
  }

  /** Decides about the rows of some extents; mutable. */
  private static final class Step {
    private final Work work;
    private final long supersededBefore;
    private final List<ClearedRange> clears;
    private final Set<Long> states;
    private final Set<Long> readers;
    private final List<Bytes> removed = new ArrayList<>();
    private final List<Bytes> emptied = new ArrayList<>();

    /** The places of removed rows, and those that a state sees. */
    private final Set<BlockPlace> places = new HashSet<>();

    private final Set<BlockPlace> seenPlaces = new HashSet<>();

    /** True if rows are kept only because they are being read. */
    private boolean held;

    Step(
        Work work,
        long supersededBefore,
        List<ClearedRange> clears,
        Set<Long> states,
        Set<Long> readers) {
      this.work = work;
      this.supersededBefore = supersededBefore;
      this.clears = clears;
      this.states = states;
      this.readers = readers;
    }

    /** Adds an extent of the range. */
    void add(StoredExtent stored) {
      boolean keptBelow = false;
      boolean keptBelowClear = false;
      boolean hasEmpty = false;
      for (int i = stored.rows().size() - 1; i >= 0; i--) {
        Stored row = stored.rows().get(i);
        long superseded = superseded(stored, i);
        boolean seen = isSeen(row, superseded);
        // A row that was superseded after this note was written has a note of its own.
        boolean garbage = !seen && superseded <= work.write();
        boolean nothingToHide = row.pages().isEmpty() && !keptBelow;
        if (nothingToHide || garbage) {
          removed.add(row.row());
          addPlaces(row, places);
        } else {
          keptBelow = true;
          keptBelowClear |= row.write() < work.write();
          hasEmpty |= row.write() == work.write();
          held |= superseded <= work.write() && !isSeen(states, row.write(), superseded);
          addIfSeen(row, seen);
        }
      }
      boolean hides = work.clears() && work.range().contains(stored.extent());
      if (hides && keptBelowClear && !hasEmpty) {
        emptied.add(BlobRows.pageExtent(work.range().version(), stored.extent(), work.write()));
      }
    }

    /** Adds an extent next to the range, whose rows may refer to the same places. */
    void addNear(StoredExtent stored) {
      for (int i = 0; i < stored.rows().size(); i++) {
        Stored row = stored.rows().get(i);
        addIfSeen(row, isSeen(row, superseded(stored, i)));
      }
    }

    /** Returns the places that can be removed. */
    Set<BlockPlace> unseenPlaces() {
      Set<BlockPlace> unseen = new HashSet<>(places);
      unseen.removeAll(seenPlaces);
      return unseen;
    }

    private void addIfSeen(Stored row, boolean seen) {
      if (seen) {
        addPlaces(row, seenPlaces);
      }
    }

    private static void addPlaces(Stored row, Set<BlockPlace> places) {
      row.pages().runs().forEach(run -> places.add(run.place()));
    }

    /** Returns the write that replaced or cleared a row; {@link Long#MAX_VALUE} if none did. */
    private long superseded(StoredExtent stored, int index) {
      long replaced = index == 0 ? Long.MAX_VALUE : stored.rows().get(index - 1).write();
      long write = stored.rows().get(index).write();
      return Math.min(replaced, ClearedRange.after(clears, stored.extent(), write));
    }

    private boolean isSeen(Stored row, long superseded) {
      return superseded >= supersededBefore
          || isSeen(states, row.write(), superseded)
          || isSeen(readers, row.write(), superseded);
    }

    private static boolean isSeen(Set<Long> states, long write, long superseded) {
      return states.stream()
          .anyMatch(
              state -> state >= write && (state < superseded || superseded == Long.MAX_VALUE));
    }
  }

  /** Removes the rows of a step, and before them the places that only they refer to. */
  private boolean commit(Work work, Step step, @Nullable ExtentRange left) {
    List<Bytes> deleted = new ArrayList<>();
    Set<Long> chunks = new HashSet<>();
    for (BlockPlace place : step.unseenPlaces()) {
      deleted.add(row(place));
      addChunk(place, chunks);
    }
    deleted.addAll(step.removed);
    boolean committed = true;
    int at = 0;
    do {
      int end = Math.min(deleted.size(), at + ROWS_MAX - EXTENTS_MAX);
      boolean last = end == deleted.size();
      List<Bytes> batch = List.copyOf(deleted.subList(at, end));
      List<Bytes> emptied = last ? step.emptied : List.of();
      committed = run(new SweepPagesBody(work.row(), work.value(), batch, emptied, left, last));
      at = end;
    } while (committed && at < deleted.size());
    if (committed) {
      chunks.forEach(chunk -> dead.add(new ChunkRef(chunk)));
    }
    return committed;
  }

  /**
   * Returns the extents next to others whose rows may refer to the same places. The pages of a
   * place were written at once.
   */
  private List<StoredExtent> near(long version, List<StoredExtent> extents) {
    if (extents.isEmpty()) {
      return List.of();
    }
    long first = extents.get(0).extent();
    long after = extents.get(extents.size() - 1).extent() + 1;
    List<StoredExtent> near =
        extents(version, Math.max(0, first - PLACE_EXTENTS_MAX), first, Integer.MAX_VALUE);
    near.addAll(extents(version, after, after + PLACE_EXTENTS_MAX, Integer.MAX_VALUE));
    return near;
  }

  /** Returns the first extents of a range that have rows. */
  private List<StoredExtent> extents(long version, long from, long to, int max) {
    List<StoredExtent> extents = new ArrayList<>();
    collect(
        BlobRows.pageExtents(version, from),
        BlobRows.pageExtents(version, to),
        record -> {
          Bytes row = row(record);
          long extent = BlobRows.extentIndex(row);
          int size = extents.size();
          if (size == 0 || extents.get(size - 1).extent() != extent) {
            if (size == max) {
              return Visit.STOP;
            }
            extents.add(new StoredExtent(extent, new ArrayList<>()));
          }
          PageExtent pages = PageCodec.decodeExtent(record.value().copy());
          extents
              .get(extents.size() - 1)
              .rows()
              .add(new Stored(row, BlobRows.extentWrite(row), pages));
          return Visit.CONTINUE;
        });
    return extents;
  }

  private List<ClearedRange> clears(long version) {
    List<ClearedRange> clears = new ArrayList<>();
    collect(
        BlobRows.pageClears(version),
        BlobRows.pageClears(version + 1),
        record -> {
          ExtentRange range = PageCodec.decodeRange(record.value().copy());
          clears.add(new ClearedRange(range, BlobRows.clearWrite(row(record))));
          return Visit.CONTINUE;
        });
    return clears;
  }

  /**
   * Returns the states of a version that snapshots have, and the state that the blob goes on to.
   */
  private Set<Long> states(long version) {
    Set<Long> states = new HashSet<>();
    addStates(version, states);
    if (engine.isShared()) {
      // While the rows are read, another server may restore a state, which moves it to a row that
      // was already read.
      addStates(version, states);
    }
    return states;
  }

  private void addStates(long version, Set<Long> states) {
    collect(
        BlobRows.PROPERTIES,
        null,
        record -> {
          switch (BlobRows.kind(record.row())) {
            case PROPERTIES -> add(record, version, Long.MAX_VALUE, states);
            case SNAPSHOT, VERSION, DELETED -> add(record, version, 0, states);
            case PAGE_BYTES,
                PAGE_CLEAR,
                BYTES,
                PAGE_EXTENT,
                GONE_CHUNK,
                PAGE_CHUNK,
                SEGMENT,
                PAGE_NOTE,
                DUE,
                HISTORY,
                UNCOMMITTED_BLOCK -> {}
          }
          return Visit.CONTINUE;
        });
  }

  private static void add(LentRecord record, long version, long atLeast, Set<Long> states) {
    BlobProperties named = BlobPropertiesCodec.decode(record.value().copy());
    if (named.content().version() == version) {
      states.add(Math.max(named.changedTicks(), atLeast));
    }
  }

  private void collect(Bytes from, @Nullable Bytes to, RecordVisitor visitor) {
    Futures.await(records.scan(from, to, visitor));
  }

  private boolean run(TransactionBody<Boolean> body) {
    List<Bytes> touch = List.of(BlobRows.PROPERTIES);
    return Futures.await(engine.transact(records.partition(), touch, deadline, body));
  }

  private static void addChunk(BlockPlace place, Set<Long> chunks) {
    if (place.inChunk()) {
      chunks.add(place.number());
    }
  }

  private static Bytes row(BlockPlace place) {
    return place.inChunk()
        ? BlobRows.pageChunk(place.number())
        : BlobRows.pageBytes(place.number());
  }

  private static Bytes row(LentRecord record) {
    return Bytes.of(record.row().copy());
  }
}
