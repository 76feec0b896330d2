package io.lazuli.server.blob.service;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.ContainerProperties;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Checksums;
import io.lazuli.server.blob.request.ListMarker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a {@link BlobOperation}. What shows a lease also has the engine's time, from which
 * the lease's state follows.
 */
public sealed interface BlobOutcome {
  /** A container in a list. */
  record ListedContainer(String name, ContainerProperties properties) {}

  /**
   * A page of containers.
   *
   * @param next name of the first container of the next page; null behind the last
   */
  record ContainerPage(List<ListedContainer> containers, @Nullable String next, long now)
      implements BlobOutcome {}

  record ContainerFound(ContainerProperties properties, long now) implements BlobOutcome {}

  /** A container was made, or its metadata or access was changed. */
  record ContainerChanged(ContainerProperties properties) implements BlobOutcome {}

  record ContainerAccess(ContainerProperties properties, List<StoredAccessPolicy> policies)
      implements BlobOutcome {}

  /**
   * A lease operation on a container took place.
   *
   * @param secondsLeft of a break
   */
  record ContainerLeased(ContainerProperties properties, int secondsLeft) implements BlobOutcome {}

  /** Something in a listing of blobs. */
  sealed interface ListedItem {}

  /**
   * A blob or a snapshot in a list.
   *
   * @param snapshotTicks null for the blob itself
   */
  record ListedBlob(BlobName name, @Nullable Long snapshotTicks, BlobProperties properties)
      implements ListedItem {}

  /** All blobs whose names begin so. */
  record ListedPrefix(String name) implements ListedItem {}

  /**
   * A page of blobs, snapshots and prefixes, in order. May be short, even empty, before the last.
   *
   * @param next where the next page begins; null behind the last
   */
  record BlobPage(List<ListedItem> items, @Nullable ListMarker next, long now)
      implements BlobOutcome {}

  /** The properties of a blob or snapshot. */
  record BlobFound(BlobProperties properties, long now) implements BlobOutcome {}

  /**
   * The content of a blob or snapshot, open; whoever gets this closes it.
   *
   * @param range the part that is answered; null for all
   */
  record BlobOpened(
      BlobProperties properties, @Nullable ByteRange range, BlobReader content, long now)
      implements BlobOutcome {}

  /**
   * The range that was asked for begins behind the end of the blob: 416.
   *
   * @param length of the blob
   */
  record RangeNotThere(long length) implements BlobOutcome {}

  record TagsFound(BlobTags tags) implements BlobOutcome {}

  /** A block in a list. */
  record ListedBlock(BlockId id, long length) {}

  /**
   * Block lists.
   *
   * @param properties null if nothing is committed
   * @param committed in the order of the content; null if they were not asked for
   * @param uncommitted in the order of their ids; null if they were not asked for
   */
  record BlocksFound(
      @Nullable BlobProperties properties,
      @Nullable List<ListedBlock> committed,
      @Nullable List<ListedBlock> uncommitted)
      implements BlobOutcome {}

  /**
   * A blob was put in place or changed.
   *
   * @param properties as they are now
   */
  record BlobChanged(BlobProperties properties) implements BlobOutcome {}

  /** A blob was put in place with a body, from here or from another blob. */
  record BlobPut(BlobProperties properties, Checksums checksums) implements BlobOutcome {}

  record BlockPut(Checksums checksums) implements BlobOutcome {}

  /**
   * A block was appended.
   *
   * @param properties as they are now, with the number of blocks
   * @param offset where it begins
   */
  record BlockAppended(BlobProperties properties, long offset, Checksums checksums)
      implements BlobOutcome {}

  /**
   * A snapshot was taken.
   *
   * @param properties of the snapshot
   */
  record SnapshotTaken(BlobProperties properties, long snapshotTicks) implements BlobOutcome {}

  /**
   * A lease operation on a blob took place.
   *
   * @param secondsLeft of a break
   */
  record BlobLeased(BlobProperties properties, int secondsLeft) implements BlobOutcome {}

  /** It is done, and there is nothing to tell. */
  record Done() implements BlobOutcome {}
}
