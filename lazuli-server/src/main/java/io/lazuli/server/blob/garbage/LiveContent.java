package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.encoding.UncommittedBlockCodec;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.storage.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Separates the live content of a blob's partition, which the blob, a snapshot, a former state or
 * its upload refers to, from garbage. Mutable: one thread adds all rows of the partition and then
 * asks for the result.
 *
 * <p>The rows are read outside of a transaction, so they do not show the partition at one moment.
 * That is enough, because every transaction that names content also writes the properties. The
 * properties are read before the first row, and {@link RemoveBody} removes the garbage only if they
 * are still the same. Content that a block list or a copy is about to name has its creation time as
 * its number. Such content is kept until it is old, and a commit checks that its first segment
 * still exists.
 */
public final class LiveContent {
  private final byte @Nullable [] properties;
  private final long uploadNumber;
  private final long unnamedBefore;
  private final long markedBefore;
  private final Set<Long> versions = new HashSet<>();
  private final Map<Bytes, List<Block>> segments = new HashMap<>();
  private final Map<Bytes, BlockPlace> uncommitted = new HashMap<>();
  private final List<Bytes> bytes = new ArrayList<>();
  private final List<Bytes> marks = new ArrayList<>();
  private final Set<Long> pageVersions = new HashSet<>();
  private boolean pagesNoted;
  private final Set<Long> held = new HashSet<>();
  private byte @Nullable [] history;
  private @Nullable Set<BlockPlace> livePlaces;

  /**
   * Starts with the properties of the blob.
   *
   * @param properties the properties' record, read before any row that will be added; null if there
   *     is no blob
   * @param unnamedBefore content with numbers from these ticks on may belong to a commit that is
   *     still running
   * @param markedBefore marks that are older than this have no use any more
   */
  LiveContent(byte @Nullable [] properties, long unnamedBefore, long markedBefore) {
    BlobProperties blob = properties == null ? null : BlobPropertiesCodec.decode(properties);
    this.properties = properties;
    this.uploadNumber = blob == null ? 0 : blob.upload().number();
    this.unnamedBefore = unnamedBefore;
    this.markedBefore = markedBefore;
    if (blob != null) {
      versions.add(blob.content().version());
    }
  }

  public LiveContent(byte @Nullable [] properties, long unnamedBefore) {
    this(properties, unnamedBefore, 0);
  }

  /** Marks versions as being read, so that they are kept. */
  void hold(Set<Long> versionsInUse) {
    held.addAll(versionsInUse);
    livePlaces = null;
  }

  /** Returns the versions that nothing names, including young ones and those being read. */
  Set<Long> unnamed() {
    Set<Long> unnamed = new HashSet<>(pageVersions);
    segments.keySet().forEach(row -> unnamed.add(BlobRows.segmentVersion(row)));
    unnamed.removeAll(versions);
    return unnamed;
  }

  /** Returns the versions whose rows are garbage. */
  Set<Long> garbageVersions() {
    Set<Long> garbage = unnamed();
    garbage.removeIf(this::isLiveVersion);
    return garbage;
  }

  /** Returns the versions whose pages are garbage. */
  Set<Long> garbagePageVersions() {
    Set<Long> garbage = new HashSet<>(pageVersions);
    garbage.retainAll(garbageVersions());
    return garbage;
  }

  /** Returns true if pages of a live version may be garbage. */
  boolean hasPagesNoted() {
    return pagesNoted;
  }

  /** Returns true if unnamed content is kept because it is young or being read. */
  boolean keepsUnnamed() {
    return pagesNoted
        || unnamed().stream().anyMatch(this::isLiveVersion)
        || bytes.stream()
            .map(BlobRows::bytesNumber)
            .anyMatch(number -> number >= unnamedBefore && !holdsBytes(number));
  }

  /** Returns true if content is kept only because it is being read. */
  boolean isHeld() {
    return unnamed().stream().anyMatch(held::contains);
  }

  /** Adds a row. The value of a {@code BYTES} row is not used. */
  public void add(Bytes row, byte[] value) {
    switch (BlobRows.kind(row)) {
      case SNAPSHOT, VERSION, DELETED ->
          versions.add(BlobPropertiesCodec.decode(value).content().version());
      case SEGMENT -> segments.put(row, BlockSegmentCodec.decode(value));
      case UNCOMMITTED_BLOCK -> uncommitted.put(row, UncommittedBlockCodec.decode(value).place());
      case BYTES -> bytes.add(row);
      case PAGE_EXTENT -> pageVersions.add(BlobRows.pageVersion(row));
      case PAGE_CLEAR, PAGE_NOTE -> pagesNoted = true;
      case PAGE_BYTES, PAGE_CHUNK -> {} // Removed with the extents that refer to them.
      case GONE_CHUNK -> {
        if (RemoveBody.markedTicks(value) < markedBefore) {
          marks.add(row);
        }
      }
      case PROPERTIES -> {} // They were read before the first row.
      case HISTORY -> history = value;
      case DUE -> {}
    }
  }

  /** Returns the properties' record for which the result holds. */
  public byte @Nullable [] properties() {
    return properties;
  }

  /**
   * Returns the record of the former states' summary for which the result holds; null if there was
   * none. The rows of former states come after it. So if a state moved from one row to another
   * while they were read, and was missed in both, the summary has changed.
   */
  byte @Nullable [] history() {
    return history;
  }

  /**
   * Returns the rows that are garbage. The first segment of each block list is removed first. A
   * commit checks only that segment, so a list that has lost any row can no longer be committed.
   */
  public List<Bytes> garbage() {
    List<Bytes> garbage = new ArrayList<>(marks);
    segments.keySet().stream()
        .filter(row -> !isLiveSegment(row))
        .sorted(Comparator.comparingLong(BlobRows::segmentStart))
        .forEach(garbage::add);
    uncommitted.keySet().stream().filter(row -> !isLiveBlock(row)).forEach(garbage::add);
    for (Bytes row : bytes) {
      long number = BlobRows.bytesNumber(row);
      if (number < unnamedBefore && !holdsBytes(number)) {
        garbage.add(row);
      }
    }
    return garbage;
  }

  /**
   * Returns the chunks that only garbage refers to. They were part of the blob, so nothing is about
   * to refer to them again.
   */
  Set<Long> garbageChunks() {
    Set<Long> chunks = new HashSet<>();
    segments.forEach(
        (row, blocks) -> {
          if (!isLiveSegment(row)) {
            blocks.forEach(block -> addChunk(block.place(), chunks));
          }
        });
    uncommitted.forEach(
        (row, place) -> {
          if (!isLiveBlock(row)) {
            addChunk(place, chunks);
          }
        });
    return chunks;
  }

  private void addChunk(BlockPlace place, Set<Long> chunks) {
    if (place.inChunk() && !livePlaces().contains(place)) {
      chunks.add(place.number());
    }
  }

  /**
   * Returns true if a chunk is part of the blob, of a snapshot or of an upload. Valid once all rows
   * were added.
   */
  public boolean holdsChunk(long chunk) {
    return livePlaces().contains(new BlockPlace(true, chunk));
  }

  private boolean holdsBytes(long number) {
    return livePlaces().contains(new BlockPlace(false, number));
  }

  private Set<BlockPlace> livePlaces() {
    Set<BlockPlace> known = livePlaces;
    if (known == null) {
      known = findLivePlaces();
      livePlaces = known;
    }
    return known;
  }

  private Set<BlockPlace> findLivePlaces() {
    Set<BlockPlace> live = new HashSet<>();
    segments.forEach(
        (row, blocks) -> {
          if (isLiveSegment(row)) {
            blocks.forEach(block -> live.add(block.place()));
          }
        });
    uncommitted.forEach(
        (row, place) -> {
          if (isLiveBlock(row)) {
            live.add(place);
          }
        });
    return live;
  }

  private boolean isLiveSegment(Bytes row) {
    return isLiveVersion(BlobRows.segmentVersion(row));
  }

  private boolean isLiveVersion(long version) {
    return version >= unnamedBefore || versions.contains(version) || held.contains(version);
  }

  private boolean isLiveBlock(Bytes row) {
    return BlobRows.uploadNumber(row) == uploadNumber;
  }
}
