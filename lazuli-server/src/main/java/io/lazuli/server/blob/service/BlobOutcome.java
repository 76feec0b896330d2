package io.lazuli.server.blob.service;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.encoding.ContainerPropertiesCodec;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Checksums;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.SearchMarker;
import io.lazuli.server.blob.sparse.PageRanges;
import io.lazuli.storage.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a {@link BlobOperation}. An outcome that shows a lease carries the engine's time,
 * from which the state of the lease follows.
 */
public sealed interface BlobOutcome {
  /**
   * A container in a list.
   *
   * @param position the position in the list, at which a page can begin
   * @param stored the properties as stored. Many short pairs of metadata take much more memory once
   *     decoded
   * @param deletion null if the container exists
   */
  record ListedContainer(
      String name, String position, byte[] stored, @Nullable ContainerDeletion deletion) {
    /** Decodes the properties. */
    public ContainerProperties properties() {
      return ContainerPropertiesCodec.decode(stored);
    }
  }

  /**
   * The deletion of a container that can be restored.
   *
   * @param version distinguishes the deletions of one name
   */
  record ContainerDeletion(String version, long deletedTicks, long endTicks) {}

  /**
   * A page of containers.
   *
   * @param next the position of the first container of the next page; null on the last page
   */
  record ContainerPage(
      List<ListedContainer> containers, @Nullable String next, boolean immutability, long now)
      implements BlobOutcome {}

  /**
   * A container.
   *
   * @param immutability true if its blobs can have immutability policies
   */
  record ContainerFound(ContainerProperties properties, boolean immutability, long now)
      implements BlobOutcome {}

  /** A container was created, or its metadata or access was changed. */
  record ContainerChanged(ContainerProperties properties) implements BlobOutcome {}

  record ContainerAccess(ContainerProperties properties, List<StoredAccessPolicy> policies)
      implements BlobOutcome {}

  /**
   * A lease operation on a container took place.
   *
   * @param secondsLeft the seconds until the lease is broken; only after a break
   */
  record ContainerLeased(ContainerProperties properties, int secondsLeft) implements BlobOutcome {}

  /** An item in a listing of blobs. */
  sealed interface ListedItem {
    /** Returns the position of the item: a page that begins there begins with the item. */
    ListMarker at();
  }

  /**
   * A blob or one of its other states in a list.
   *
   * @param state the snapshot or previous version; null for the blob itself
   * @param versionsOnly true for a deleted blob that stands for its previous versions; its
   *     properties are those of the last one
   * @param stored the properties as stored. Many short pairs of metadata take much more memory once
   *     decoded
   */
  record ListedBlob(BlobName name, @Nullable NamedState state, boolean versionsOnly, byte[] stored)
      implements ListedItem {
    ListedBlob(BlobName name, @Nullable NamedState state, byte[] stored) {
      this(name, state, false, stored);
    }

    /** Returns the time of the snapshot; null if it is not a snapshot. */
    public @Nullable Long snapshotTicks() {
      return state == null || !state.isSnapshot() ? null : state.ticks();
    }

    /** Decodes the properties. */
    public BlobProperties properties() {
      return BlobPropertiesCodec.decode(stored);
    }

    @Override
    public ListMarker at() {
      return new ListMarker(name.key(), state == null ? ListMarker.BASE_BLOB : state.ticks());
    }
  }

  /** All blobs whose names begin with the given prefix. */
  record ListedPrefix(String name) implements ListedItem {
    @Override
    public ListMarker at() {
      return ListMarker.at(Bytes.of(name.getBytes(StandardCharsets.UTF_8)));
    }
  }

  /**
   * A page of blobs, snapshots and prefixes, in order. Pages before the last may be short or even
   * empty.
   *
   * @param next the position at which the next page begins; null on the last page
   */
  record BlobPage(List<ListedItem> items, @Nullable ListMarker next, long now)
      implements BlobOutcome {}

  /** The properties of a blob or snapshot. */
  record BlobFound(BlobProperties properties, long now) implements BlobOutcome {}

  /**
   * The open content of a blob or snapshot; the caller closes it.
   *
   * @param range the part that the response contains; null for the whole blob
   */
  record BlobOpened(
      BlobProperties properties, @Nullable ByteRange range, BlobReader content, long now)
      implements BlobOutcome {}

  /**
   * The requested range begins after the end of the blob: 416.
   *
   * @param length the length of the blob
   */
  record RangeNotThere(long length) implements BlobOutcome {}

  /**
   * A blob that a search found.
   *
   * @param tags those that the expression names
   * @param versionTicks its version; 0 for none
   * @param current false for a previous version
   * @param at the position of a page that begins with this blob
   */
  record FoundBlob(
      String container,
      BlobName name,
      Map<String, String> tags,
      long versionTicks,
      boolean current,
      SearchMarker at) {}

  /**
   * A page of a search by tags.
   *
   * @param next the position at which the next page begins; null after the last page
   */
  record FoundBlobs(List<FoundBlob> blobs, @Nullable SearchMarker next) implements BlobOutcome {}

  record TagsFound(BlobTags tags) implements BlobOutcome {}

  /** A block in a list. */
  record ListedBlock(BlockId id, long length) {}

  /**
   * The blocks of a list, in order.
   *
   * @param segments the blocks as stored. There may be 150,000 of them, which take several times as
   *     much memory once decoded
   */
  record ListedBlocks(List<byte[]> segments) implements Iterable<ListedBlock> {
    @Override
    public Iterator<ListedBlock> iterator() {
      return segments.stream()
          .flatMap(segment -> BlockSegmentCodec.decode(segment).stream())
          .map(block -> new ListedBlock(block.id(), block.length()))
          .iterator();
    }
  }

  /**
   * Block lists.
   *
   * @param properties null if nothing is committed
   * @param committed in the order of the content; null if the client did not ask for them
   * @param uncommitted in the order of their ids; null if the client did not ask for them
   */
  record BlocksFound(
      @Nullable BlobProperties properties,
      @Nullable ListedBlocks committed,
      @Nullable ListedBlocks uncommitted)
      implements BlobOutcome {}

  /**
   * A blob was created, replaced or changed.
   *
   * @param properties the properties from now on
   */
  record BlobChanged(BlobProperties properties) implements BlobOutcome {}

  /** A blob was created or replaced with content from a body or from another blob. */
  record BlobPut(BlobProperties properties, Checksums checksums) implements BlobOutcome {}

  record BlockPut(Checksums checksums) implements BlobOutcome {}

  /**
   * A block was appended.
   *
   * @param properties the properties after the change, with the number of blocks
   * @param offset the offset at which the block begins
   */
  record BlockAppended(BlobProperties properties, long offset, Checksums checksums)
      implements BlobOutcome {}

  /**
   * A snapshot was taken.
   *
   * @param properties the properties of the snapshot
   * @param versionTicks the time that names the new current version; 0 without versions
   */
  record SnapshotTaken(BlobProperties properties, long snapshotTicks, long versionTicks)
      implements BlobOutcome {}

  /**
   * A blob, its snapshots or a version were deleted.
   *
   * @param permanent false if they can be restored
   */
  record BlobDeleted(boolean permanent) implements BlobOutcome {}

  /**
   * A lease operation on a blob took place.
   *
   * @param secondsLeft the seconds until the lease is broken; only after a break
   */
  record BlobLeased(BlobProperties properties, int secondsLeft) implements BlobOutcome {}

  /**
   * Pages were written, from a body or from another blob.
   *
   * @param properties the properties after the change, with the sequence number
   */
  record PagesPut(BlobProperties properties, Checksums checksums) implements BlobOutcome {}

  /** Written or changed pages of a blob. */
  record PageRangesFound(BlobProperties properties, PageRanges.Found found)
      implements BlobOutcome {}

  /** The operation is done and has no result. */
  record Done() implements BlobOutcome {}
}
