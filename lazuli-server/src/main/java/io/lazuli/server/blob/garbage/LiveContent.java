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
 * What of a blob's partition is still named by the blob or one of its snapshots, and what is
 * garbage. Mutable: shown all rows of the partition, by one thread, then asked.
 *
 * <p>The rows are read outside of a transaction, not as of one moment. That is enough, because
 * everything that gives content a name writes the properties: those are read before the first row,
 * and {@link RemoveBody} removes the garbage only if they are still the same. Content that is about
 * to be named, by a block list or a copy, has numbers that are times; it is left alone until it is
 * old, and a commit looks whether its first segment is still there.
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
  private final Set<Long> held = new HashSet<>();
  private @Nullable Set<BlockPlace> livePlaces;

  /**
   * Begins.
   *
   * @param properties the record, read before any row that will be shown; null for no blob
   * @param unnamedBefore what has numbers from these ticks on may be of a commit that still runs
   * @param markedBefore marks of chunks that were deleted before are of no use any more
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

  /** Versions that are being read are not garbage either. */
  void hold(Set<Long> versionsInUse) {
    held.addAll(versionsInUse);
    livePlaces = null;
  }

  /** Versions that nothing names, whatever their age and whoever reads them. */
  Set<Long> unnamed() {
    Set<Long> unnamed = new HashSet<>();
    segments.keySet().forEach(row -> unnamed.add(BlobRows.segmentVersion(row)));
    unnamed.removeAll(versions);
    return unnamed;
  }

  /** Versions whose rows are among the garbage. */
  Set<Long> garbageVersions() {
    Set<Long> garbage = unnamed();
    garbage.removeIf(this::isLiveVersion);
    return garbage;
  }

  /** True if something unnamed is kept because it is young or being read. */
  boolean keepsUnnamed() {
    return unnamed().stream().anyMatch(this::isLiveVersion)
        || bytes.stream()
            .map(BlobRows::bytesNumber)
            .anyMatch(number -> number >= unnamedBefore && !holdsBytes(number));
  }

  /** True if something is kept only because it is being read. */
  boolean isHeld() {
    return segments.keySet().stream()
        .map(BlobRows::segmentVersion)
        .anyMatch(version -> held.contains(version) && !versions.contains(version));
  }

  /** Takes in a row; the value of bytes is not looked at. */
  public void add(Bytes row, byte[] value) {
    switch (BlobRows.kind(row)) {
      case SNAPSHOT -> versions.add(BlobPropertiesCodec.decode(value).content().version());
      case SEGMENT -> segments.put(row, BlockSegmentCodec.decode(value));
      case UNCOMMITTED_BLOCK -> uncommitted.put(row, UncommittedBlockCodec.decode(value).place());
      case BYTES -> bytes.add(row);
      case GONE_CHUNK -> {
        if (RemoveBody.markedTicks(value) < markedBefore) {
          marks.add(row);
        }
      }
      case PROPERTIES -> {} // They were read before the first row.
    }
  }

  /** What all this is true of. */
  public byte @Nullable [] properties() {
    return properties;
  }

  /**
   * Rows that nothing names. First those without which a list cannot be put in place any more, so
   * that none is that has lost others of its rows.
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

  /** Chunks that only garbage refers to. They were part of the blob, so nobody is about to. */
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

  /** True if a chunk is part of the blob, of a snapshot or of an upload; asked behind all rows. */
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
