package io.lazuli.server.blob.service;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.blob.model.AccessTier;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.CopySource;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.RequestTerms;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Everything that can be asked of the blob service. */
public sealed interface BlobOperation {
  /**
   * Lists containers, by page.
   *
   * @param from name of the first container of this page; empty for the first page
   * @param system true to show those too that only the server makes
   */
  record ListContainers(String prefix, String from, int max, boolean system)
      implements BlobOperation {}

  /** What is about one container. */
  sealed interface OnContainer extends BlobOperation {
    ContainerName container();
  }

  record CreateContainer(
      ContainerName container, Map<String, String> metadata, PublicAccess publicAccess)
      implements OnContainer {}

  /** Deletes a container with all that is in it; tags of the conditions are not looked at. */
  record DeleteContainer(ContainerName container, RequestTerms terms) implements OnContainer {}

  /**
   * Reads properties and metadata.
   *
   * @param leaseId checked if it is given
   */
  record ReadContainer(ContainerName container, @Nullable UUID leaseId) implements OnContainer {}

  record ReplaceContainerMetadata(
      ContainerName container, Map<String, String> metadata, RequestTerms terms)
      implements OnContainer {}

  /** Reads stored access policies and the level of public access. */
  record ReadContainerAccess(ContainerName container, @Nullable UUID leaseId)
      implements OnContainer {}

  /** Sets stored access policies and the level of public access, in one change. */
  record ReplaceContainerAccess(
      ContainerName container,
      PublicAccess publicAccess,
      List<StoredAccessPolicy> policies,
      RequestTerms terms)
      implements OnContainer {}

  /** The ids of the lease are part of the action. */
  record LeaseContainer(ContainerName container, LeaseAction action, Conditions conditions)
      implements OnContainer {}

  /**
   * Lists blobs, by page.
   *
   * @param delimiter empty for a flat listing; snapshots are listed flat only
   * @param marker where this page begins; null for the first page
   * @param max items of a page: blobs, snapshots and prefixes
   * @param uncommitted true to show blobs too of which nothing is committed
   */
  record ListBlobs(
      ContainerName container,
      String prefix,
      String delimiter,
      @Nullable ListMarker marker,
      int max,
      boolean snapshots,
      boolean uncommitted)
      implements OnContainer {}

  /** What is about one blob. */
  sealed interface OnBlob extends BlobOperation {
    BlobAddress at();
  }

  /**
   * Reads properties and metadata.
   *
   * @param snapshotTicks null for the blob itself
   */
  record ReadProperties(BlobAddress at, @Nullable Long snapshotTicks, RequestTerms terms)
      implements OnBlob {}

  /**
   * Opens the content for reading.
   *
   * @param range as it was asked; null for all
   */
  record GetBlob(
      BlobAddress at, @Nullable Long snapshotTicks, @Nullable ByteRange range, RequestTerms terms)
      implements OnBlob {}

  record ReadTags(BlobAddress at, @Nullable Long snapshotTicks, @Nullable UUID leaseId)
      implements OnBlob {}

  /**
   * Reads block lists.
   *
   * @param committed true to read the committed ones
   * @param uncommitted true to read those that wait; a snapshot has none
   */
  record ReadBlockList(
      BlobAddress at,
      @Nullable Long snapshotTicks,
      boolean committed,
      boolean uncommitted,
      @Nullable UUID leaseId)
      implements OnBlob {}

  record ReplaceMetadata(BlobAddress at, Map<String, String> metadata, RequestTerms terms)
      implements OnBlob {}

  /** Sets all HTTP properties; those that are null are cleared. */
  record ReplaceHttp(BlobAddress at, HttpProperties http, RequestTerms terms) implements OnBlob {}

  record ReplaceTags(BlobAddress at, BlobTags tags, @Nullable UUID leaseId) implements OnBlob {}

  record SetTier(BlobAddress at, AccessTier tier, @Nullable UUID leaseId) implements OnBlob {}

  /**
   * Closes an append blob.
   *
   * @param position the length that it must have; null for any
   */
  record Seal(BlobAddress at, @Nullable Long position, RequestTerms terms) implements OnBlob {}

  /**
   * Takes a snapshot.
   *
   * @param metadata null to take over the blob's
   */
  record TakeSnapshot(BlobAddress at, @Nullable Map<String, String> metadata, RequestTerms terms)
      implements OnBlob {}

  record DeleteBlob(BlobAddress at, DeletedSnapshots snapshots, RequestTerms terms)
      implements OnBlob {}

  record DeleteSnapshot(BlobAddress at, long snapshotTicks, RequestTerms terms) implements OnBlob {}

  /** The ids of the lease are part of the action. */
  record LeaseBlob(BlobAddress at, LeaseAction action, Conditions conditions) implements OnBlob {}

  /**
   * Puts a block list in place.
   *
   * @param entries at most 50,000
   */
  record PutBlockList(
      BlobAddress at, List<BlockListEntry> entries, BlobSettings settings, RequestTerms terms)
      implements OnBlob {}

  /**
   * Where a copy comes from. Whether the caller may read it was checked before.
   *
   * @param conditions on the source
   * @param range the part that is taken; null for all; only of blocks
   */
  record Source(CopySource from, Conditions conditions, @Nullable ByteRange range) {}

  /**
   * Copies a blob with its block list, properties and, unless others are given, metadata.
   *
   * @param url of the source, as it was sent
   * @param metadata null to take over the source's
   * @param tags null to take over the source's
   * @param seal null for as the source is; only of append blobs
   * @param synchronous true for the form that the client waits for, which has other error codes
   */
  record CopyBlob(
      BlobAddress at,
      Source source,
      String url,
      @Nullable Map<String, String> metadata,
      @Nullable BlobTags tags,
      @Nullable AccessTier tier,
      @Nullable Boolean seal,
      boolean synchronous,
      RequestTerms terms)
      implements OnBlob {}

  /**
   * Puts a block blob in place with the content of another, without a block list.
   *
   * @param http null to take over the source's
   * @param metadata null to take over the source's
   * @param tags null to take over the source's
   */
  record PutBlobFromUrl(
      BlobAddress at,
      Source source,
      @Nullable HttpProperties http,
      @Nullable Map<String, String> metadata,
      @Nullable BlobTags tags,
      @Nullable AccessTier tier,
      ExpectedChecksums expected,
      RequestTerms terms)
      implements OnBlob {}

  record PutBlockFromUrl(
      BlobAddress at, BlockId id, Source source, ExpectedChecksums expected, @Nullable UUID leaseId)
      implements OnBlob {}

  /**
   * Appends a part of another blob.
   *
   * @param position the length that the blob must have; null for any
   * @param sizeMax the length that it may reach; null for any
   */
  record AppendBlockFromUrl(
      BlobAddress at,
      Source source,
      @Nullable Long position,
      @Nullable Long sizeMax,
      ExpectedChecksums expected,
      RequestTerms terms)
      implements OnBlob {}

  /** What brings a body, and therefore begins with {@link BlobService#upload}. */
  sealed interface Upload extends OnBlob {
    /** As announced. */
    long length();

    /** What the request says that its body has. */
    ExpectedChecksums expected();
  }

  /**
   * Puts a blob in place as a whole; an append blob without content.
   *
   * @param settings the MD5 among them, if there is one, is compared with the body's, unless the
   *     bytes are the server's own
   */
  record PutBlob(
      BlobAddress at,
      BlobType type,
      BlobSettings settings,
      RequestTerms terms,
      long length,
      ExpectedChecksums expected)
      implements Upload {}

  record PutBlock(
      BlobAddress at, BlockId id, @Nullable UUID leaseId, long length, ExpectedChecksums expected)
      implements Upload {}

  /**
   * Appends a block.
   *
   * @param position the length that the blob must have; null for any
   * @param sizeMax the length that it may reach; null for any
   */
  record AppendBlock(
      BlobAddress at,
      @Nullable Long position,
      @Nullable Long sizeMax,
      RequestTerms terms,
      long length,
      ExpectedChecksums expected)
      implements Upload {}
}
