package io.lazuli.server.blob.service;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.encoding.UncommittedBlockCodec;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.storage.Bytes;
import java.util.ArrayList;
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
final class LiveContent {
  private final byte @Nullable [] properties;
  private final long uploadNumber;
  private final long unnamedBefore;
  private final Set<Long> versions = new HashSet<>();
  private final Map<Bytes, List<Block>> segments = new HashMap<>();
  private final Map<Bytes, BlockPlace> uncommitted = new HashMap<>();
  private final List<Bytes> bytes = new ArrayList<>();

  /**
   * Begins.
   *
   * @param properties the record, read before any row that will be shown; null for no blob
   * @param unnamedBefore what has numbers from these ticks on may be of a commit that still runs
   */
  LiveContent(byte @Nullable [] properties, long unnamedBefore) {
    BlobProperties blob = properties == null ? null : BlobPropertiesCodec.decode(properties);
    this.properties = properties;
    this.uploadNumber = blob == null ? 0 : blob.upload().number();
    this.unnamedBefore = unnamedBefore;
    if (blob != null) {
      versions.add(blob.content().version());
    }
  }

  /** Takes in a row; the value of bytes is not looked at. */
  void add(Bytes row, byte[] value) {
    switch (row.array()[0]) {
      case 's' -> versions.add(BlobPropertiesCodec.decode(value).content().version());
      case 'l' -> segments.put(row, BlockSegmentCodec.decode(value));
      case 'u' -> uncommitted.put(row, UncommittedBlockCodec.decode(value).place());
      case 'd' -> bytes.add(row);
      default -> {}
    }
  }

  /** What all this is true of. */
  byte @Nullable [] properties() {
    return properties;
  }

  /** Rows that nothing names. */
  List<Bytes> garbage() {
    Set<BlockPlace> live = livePlaces();
    List<Bytes> garbage = new ArrayList<>();
    segments.keySet().stream().filter(row -> !isLiveSegment(row)).forEach(garbage::add);
    uncommitted.keySet().stream().filter(row -> !isLiveBlock(row)).forEach(garbage::add);
    for (Bytes row : bytes) {
      long number = BlobRows.bytesNumber(row);
      if (number < unnamedBefore && !live.contains(new BlockPlace(false, number))) {
        garbage.add(row);
      }
    }
    return garbage;
  }

  /** True if a chunk is part of the blob, of a snapshot or of an upload. */
  boolean holdsChunk(long chunk) {
    return livePlaces().contains(new BlockPlace(true, chunk));
  }

  private Set<BlockPlace> livePlaces() {
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
    long version = BlobRows.segmentVersion(row);
    return version >= unnamedBefore || versions.contains(version);
  }

  private boolean isLiveBlock(Bytes row) {
    return BlobRows.uploadNumber(row) == uploadNumber;
  }
}
