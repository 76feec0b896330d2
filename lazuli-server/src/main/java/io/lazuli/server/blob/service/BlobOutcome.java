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
 * The outcome of a {@link BlobOperation}. An outcome that shows a lease carries the engine's time,
 * from which the state of the lease follows.
 */
public sealed interface BlobOutcome {
  /** A container in a list. */
  record ListedContainer(String name, ContainerProperties properties) {}

  /**
   * A page of containers.
   *
   * @param next the name of the first container of the next page; null on the last page
   */
  record ContainerPage(List<ListedContainer> containers, @Nullable String next, long now)
      implements BlobOutcome {}

  record ContainerFound(ContainerProperties properties, long now) implements BlobOutcome {}

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
  sealed interface ListedItem {}

  /**
   * A blob or a snapshot in a list.
   *
   * @param snapshotTicks null for the blob itself
   */
  record ListedBlob(BlobName name, @Nullable Long snapshotTicks, BlobProperties properties)
      implements ListedItem {}

  /** All blobs whose names begin with the given prefix. */
  record ListedPrefix(String name) implements ListedItem {}

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

  record TagsFound(BlobTags tags) implements BlobOutcome {}

  /** A block in a list. */
  record ListedBlock(BlockId id, long length) {}

  /**
   * Block lists.
   *
   * @param properties null if nothing is committed
   * @param committed in the order of the content; null if the client did not ask for them
   * @param uncommitted in the order of their ids; null if the client did not ask for them
   */
  record BlocksFound(
      @Nullable BlobProperties properties,
      @Nullable List<ListedBlock> committed,
      @Nullable List<ListedBlock> uncommitted)
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
   */
  record SnapshotTaken(BlobProperties properties, long snapshotTicks) implements BlobOutcome {}

  /**
   * A lease operation on a blob took place.
   *
   * @param secondsLeft the seconds until the lease is broken; only after a break
   */
  record BlobLeased(BlobProperties properties, int secondsLeft) implements BlobOutcome {}

  /** The operation is done and has no result. */
  record Done() implements BlobOutcome {}
}
