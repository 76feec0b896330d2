package io.lazuli.server.blob.service;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.ContainerName;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.PublicAccess;
import io.lazuli.server.blob.page.SequenceChange;
import io.lazuli.server.blob.page.SequenceConditions;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.request.BlobAddress;
import io.lazuli.server.blob.request.BlobSettings;
import io.lazuli.server.blob.request.BlockListEntry;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.DeletedSnapshots;
import io.lazuli.server.blob.request.ExpectedChecksums;
import io.lazuli.server.blob.request.Expiry;
import io.lazuli.server.blob.request.FormerStates;
import io.lazuli.server.blob.request.ListMarker;
import io.lazuli.server.blob.request.NameBounds;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.blob.request.SearchMarker;
import io.lazuli.server.blob.request.SourceAddress;
import io.lazuli.server.blob.tag.TagQuery;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.RehydratePriority;
import io.lazuli.server.error.CommonErrors;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations of the blob service. */
public sealed interface BlobOperation {
  /** Returns the action that the caller must be allowed to perform. */
  BlobAction action();

  /** Returns the protection that the operation gives a blob or one of its states. */
  default Immutability protection() {
    return Immutability.NONE;
  }

  /**
   * Lists containers, one page at a time.
   *
   * @param from the position at which this page begins: the name of a container, or that of a
   *     deletion; empty for the first page
   * @param system true to include containers that only the server creates
   * @param deleted true to include containers that can be restored
   */
  record ListContainers(String prefix, String from, int max, boolean system, boolean deleted)
      implements BlobOperation {
    /** Lists containers that exist. */
    public ListContainers(String prefix, String from, int max, boolean system) {
      this(prefix, from, max, system, false);
    }

    @Override
    public BlobAction action() {
      return BlobAction.LIST_CONTAINERS;
    }
  }

  /**
   * Finds blobs of all containers by their tags, one page at a time.
   *
   * @param versions whether to find previous versions, too
   * @param marker the position at which this page begins; null for the first page
   */
  record FindBlobs(TagQuery query, boolean versions, @Nullable SearchMarker marker, int max)
      implements BlobOperation {
    @Override
    public BlobAction action() {
      return BlobAction.FIND_BLOBS;
    }
  }

  /** An operation on one container. */
  sealed interface OnContainer extends BlobOperation {
    ContainerName container();
  }

  record CreateContainer(
      ContainerName container, Map<String, String> metadata, PublicAccess publicAccess)
      implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.CREATE_CONTAINER;
    }
  }

  /** Deletes a container with everything in it. Tags in the conditions are ignored. */
  record DeleteContainer(ContainerName container, RequestTerms terms) implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.DELETE_CONTAINER;
    }
  }

  /**
   * Restores a soft-deleted container.
   *
   * @param container the name that it gets
   * @param deletedName the name that it had
   * @param version which of the deletions of that name
   */
  record RestoreContainer(ContainerName container, String deletedName, String version)
      implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.RESTORE_CONTAINER;
    }
  }

  /**
   * Reads properties and metadata.
   *
   * @param leaseId checked if it is given
   */
  record ReadContainer(ContainerName container, @Nullable UUID leaseId) implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.READ_CONTAINER;
    }
  }

  record ReplaceContainerMetadata(
      ContainerName container, Map<String, String> metadata, RequestTerms terms)
      implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_CONTAINER;
    }
  }

  /** Reads stored access policies and the level of public access. */
  record ReadContainerAccess(ContainerName container, @Nullable UUID leaseId)
      implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.READ_CONTAINER_ACCESS;
    }
  }

  /** Sets stored access policies and the level of public access in one change. */
  record ReplaceContainerAccess(
      ContainerName container,
      PublicAccess publicAccess,
      List<StoredAccessPolicy> policies,
      RequestTerms terms)
      implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_CONTAINER_ACCESS;
    }
  }

  /** A lease operation on a container. The lease ids are part of the action. */
  record LeaseContainer(ContainerName container, LeaseAction lease, Conditions conditions)
      implements OnContainer {
    @Override
    public BlobAction action() {
      return lease instanceof LeaseAction.Break
          ? BlobAction.BREAK_CONTAINER_LEASE
          : BlobAction.CHANGE_CONTAINER;
    }
  }

  /**
   * Lists blobs, one page at a time.
   *
   * @param bounds the bounds of the names, in addition to the prefix
   * @param delimiter empty for a flat listing; snapshots can only be listed flat
   * @param marker the position at which this page begins; null for the first page
   * @param max the number of items on a page: blobs, snapshots and prefixes
   * @param uncommitted true to include blobs that have only uncommitted blocks
   * @param former which former states are included
   */
  record ListBlobs(
      ContainerName container,
      String prefix,
      NameBounds bounds,
      String delimiter,
      @Nullable ListMarker marker,
      int max,
      boolean snapshots,
      boolean uncommitted,
      FormerStates former)
      implements OnContainer {
    public ListBlobs(
        ContainerName container,
        String prefix,
        NameBounds bounds,
        String delimiter,
        @Nullable ListMarker marker,
        int max,
        boolean snapshots,
        boolean uncommitted) {
      this(
          container,
          prefix,
          bounds,
          delimiter,
          marker,
          max,
          snapshots,
          uncommitted,
          FormerStates.NONE);
    }

    @Override
    public BlobAction action() {
      return BlobAction.LIST_BLOBS;
    }
  }

  /**
   * Finds blobs of a container by their tags, one page at a time.
   *
   * @param query names no container
   * @param versions whether to find previous versions, too
   * @param marker the position at which this page begins; null for the first page
   */
  record FindBlobsInContainer(
      ContainerName container,
      TagQuery query,
      boolean versions,
      @Nullable SearchMarker marker,
      int max)
      implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.FIND_BLOBS_IN_CONTAINER;
    }
  }

  /** An operation on one blob. */
  sealed interface OnBlob extends BlobOperation {
    BlobAddress at();
  }

  /**
   * Reads properties and metadata.
   *
   * @param state null for the blob itself
   */
  record ReadProperties(BlobAddress at, @Nullable NamedState state, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.READ_BLOB;
    }
  }

  /**
   * Opens the content for reading.
   *
   * @param range the range as the client sent it; null for all
   */
  record GetBlob(
      BlobAddress at, @Nullable NamedState state, @Nullable ByteRange range, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.READ_BLOB;
    }
  }

  record ReadTags(BlobAddress at, @Nullable NamedState state, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.READ_TAGS;
    }
  }

  /**
   * Reads block lists.
   *
   * @param committed true to read the committed blocks
   * @param uncommitted true to read the uncommitted blocks; a snapshot has none
   * @param terms the only condition is one on the tags of the blob
   */
  record ReadBlockList(
      BlobAddress at,
      @Nullable NamedState state,
      boolean committed,
      boolean uncommitted,
      RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.READ_BLOB;
    }
  }

  record ReplaceMetadata(BlobAddress at, Map<String, String> metadata, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /** Sets all HTTP properties; a null clears the property. */
  record ReplaceHttp(BlobAddress at, HttpProperties http, RequestTerms terms) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /**
   * Replaces the tags of a blob or of one of its versions.
   *
   * @param versionTicks null for the blob itself
   */
  record ReplaceTags(BlobAddress at, @Nullable Long versionTicks, BlobTags tags, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_TAGS;
    }
  }

  /**
   * Sets the tier of a blob or of one of its snapshots.
   *
   * @param state null for the blob itself
   * @param priority how soon the blob is to leave the archive; null if the request did not say
   * @param terms the only condition is one on the tags of the blob
   */
  record SetTier(
      BlobAddress at,
      @Nullable NamedState state,
      AccessTier tier,
      @Nullable RehydratePriority priority,
      RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /** Sets the time at which a blob is removed, or that it is not. */
  record SetExpiry(BlobAddress at, Expiry expiry, RequestTerms terms) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /**
   * Sets or removes the immutability policy of a blob or of one of its states.
   *
   * @param state null for the blob itself
   * @param policy null to remove the policy
   * @param conditions the only condition is a date
   */
  record SetPolicy(
      BlobAddress at,
      @Nullable NamedState state,
      @Nullable ImmutabilityPolicy policy,
      Conditions conditions)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.PROTECT;
    }

    @Override
    public Immutability protection() {
      return new Immutability(policy, false);
    }
  }

  /**
   * Sets or ends the legal hold of a blob or of one of its states.
   *
   * @param state null for the blob itself
   */
  record SetLegalHold(BlobAddress at, @Nullable NamedState state, boolean hold) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.PROTECT;
    }

    @Override
    public Immutability protection() {
      return new Immutability(null, hold);
    }
  }

  /**
   * Seals an append blob.
   *
   * @param position the length that the blob must have; null for any
   */
  record Seal(BlobAddress at, @Nullable Long position, RequestTerms terms) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /**
   * Takes a snapshot.
   *
   * @param metadata null to take over the metadata of the blob
   */
  record TakeSnapshot(BlobAddress at, @Nullable Map<String, String> metadata, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.TAKE_SNAPSHOT;
    }
  }

  record DeleteBlob(BlobAddress at, DeletedSnapshots snapshots, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.DELETE_BLOB;
    }
  }

  record DeleteSnapshot(BlobAddress at, long snapshotTicks, RequestTerms terms) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.DELETE_BLOB;
    }
  }

  /** Deletes a previous version. */
  record DeleteVersion(BlobAddress at, long versionTicks, RequestTerms terms) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.DELETE_VERSION;
    }
  }

  /** Erases a soft-deleted snapshot or version. */
  record Erase(BlobAddress at, NamedState state) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.ERASE;
    }
  }

  /** Restores a blob and what else was soft-deleted under its name. */
  record UndeleteBlob(BlobAddress at) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /** A lease operation on a blob. The lease ids are part of the action. */
  record LeaseBlob(BlobAddress at, LeaseAction lease, Conditions conditions) implements OnBlob {
    @Override
    public BlobAction action() {
      return lease instanceof LeaseAction.Break
          ? BlobAction.BREAK_BLOB_LEASE
          : BlobAction.CHANGE_BLOB;
    }
  }

  /**
   * Commits a block list.
   *
   * @param entries at most 50,000
   */
  record PutBlockList(
      BlobAddress at, List<BlockListEntry> entries, BlobSettings settings, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CREATE_BLOB;
    }

    @Override
    public Immutability protection() {
      return settings.immutability();
    }
  }

  /**
   * The source of a copy. If it is on this server, the caller's access to it has already been
   * checked.
   *
   * @param conditions the conditions on the source
   * @param use the way the operation uses the source, which determines the error if a condition
   *     fails
   * @param leaseId the lease that the source must have; null if any or none will do
   * @param range the part to copy; null for the whole blob; given only if the copy becomes a block
   */
  record Source(
      SourceAddress from,
      Conditions conditions,
      Conditions.Use use,
      @Nullable UUID leaseId,
      @Nullable ByteRange range) {}

  /**
   * Copies a blob with its block list, its properties and, unless others are given, its metadata.
   *
   * @param url the URL of the source, as readers of the copy see it
   * @param metadata null to take over the metadata of the source
   * @param tags null to take over the tags of the source
   * @param priority how soon the copy of an archived blob is to leave the archive
   * @param seal null to take over the seal of the source; only for append blobs
   * @param synchronous true for the form that the client waits for, which has other error codes
   * @param expected the checksums of the source that the request gave; only in the synchronous form
   */
  record CopyBlob(
      BlobAddress at,
      Source source,
      String url,
      @Nullable Map<String, String> metadata,
      @Nullable BlobTags tags,
      @Nullable AccessTier tier,
      Immutability immutability,
      RehydratePriority priority,
      @Nullable Boolean seal,
      boolean synchronous,
      ExpectedChecksums expected,
      RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CREATE_BLOB;
    }

    @Override
    public Immutability protection() {
      return immutability;
    }
  }

  /** Ends a pending copy. The blob stays, without content. */
  record AbortCopy(BlobAddress at, UUID copyId, @Nullable UUID leaseId) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /**
   * Creates or replaces a block blob with the content of another blob, without a block list.
   *
   * @param http the HTTP properties that the request gives
   * @param takesHttp true to take over the other HTTP properties of the source
   * @param metadata null to take over the metadata of the source
   * @param tags null to take over the tags of the source
   */
  record PutBlobFromUrl(
      BlobAddress at,
      Source source,
      HttpProperties http,
      boolean takesHttp,
      @Nullable Map<String, String> metadata,
      @Nullable BlobTags tags,
      @Nullable AccessTier tier,
      ExpectedChecksums expected,
      RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CREATE_BLOB;
    }
  }

  record PutBlockFromUrl(
      BlobAddress at, BlockId id, Source source, ExpectedChecksums expected, @Nullable UUID leaseId)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CREATE_BLOB;
    }
  }

  /**
   * Appends a part of another blob.
   *
   * @param position the length that the blob must have; null for any
   * @param sizeMax the length that the blob may reach; null for any
   */
  record AppendBlockFromUrl(
      BlobAddress at,
      Source source,
      @Nullable Long position,
      @Nullable Long sizeMax,
      ExpectedChecksums expected,
      RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.APPEND_BLOCK;
    }
  }

  /** Creates or replaces a page blob without written pages. */
  record CreatePageBlob(
      BlobAddress at, BlobSettings settings, RequestTerms terms, long length, long sequenceNumber)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CREATE_BLOB;
    }

    @Override
    public Immutability protection() {
      return settings.immutability();
    }
  }

  /**
   * Changes the properties that only page blobs have.
   *
   * @param length null to keep the length
   * @param sequence null to keep the sequence number
   * @param http null to keep the HTTP properties
   */
  record ChangePageBlob(
      BlobAddress at,
      @Nullable Long length,
      @Nullable SequenceChange sequence,
      @Nullable HttpProperties http,
      RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /**
   * Clears pages.
   *
   * @param range whole pages
   */
  record ClearPages(
      BlobAddress at, ByteRange range, SequenceConditions sequence, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /**
   * Writes pages with a part of another blob.
   *
   * @param range whole pages, as many bytes as the part
   */
  record PutPagesFromUrl(
      BlobAddress at,
      Source source,
      ByteRange range,
      SequenceConditions sequence,
      ExpectedChecksums expected,
      RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /**
   * Finds written pages, or pages that have changed since a snapshot.
   *
   * @param state null for the blob itself
   * @param previousTicks the snapshot to compare with; null for all written pages
   * @param range the part of the blob to look at; null for all of it
   * @param marker the offset at which the page of ranges begins
   * @param max the number of ranges
   */
  record FindPageRanges(
      BlobAddress at,
      @Nullable NamedState state,
      @Nullable Long previousTicks,
      @Nullable ByteRange range,
      long marker,
      int max,
      RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.READ_BLOB;
    }
  }

  /** An operation with a body, which therefore begins with {@link BlobService#upload}. */
  sealed interface Upload extends OnBlob {
    /** Returns the announced length of the body. */
    long length();

    /** Returns the length of the longest body that the operation allows. */
    long lengthMax();

    /** Returns the checksums that the request gave for its body. */
    ExpectedChecksums expected();

    /** Throws if a body is longer than its operation allows. */
    static void requireLength(long length, long lengthMax) {
      if (length > lengthMax) {
        throw CommonErrors.REQUEST_BODY_TOO_LARGE
            .exception()
            .with("MaxLimit", Long.toString(lengthMax));
      }
    }
  }

  /**
   * Creates or replaces a blob as a whole; an append blob is created without content.
   *
   * @param settings the properties; an MD5 among them is compared with the MD5 of the body, unless
   *     the server itself wrote the body
   */
  record PutBlob(
      BlobAddress at,
      BlobType type,
      BlobSettings settings,
      RequestTerms terms,
      long length,
      ExpectedChecksums expected)
      implements Upload {
    public static final long LENGTH_MAX = BlobLimits.PUT_BLOB_BYTES_MAX;

    @Override
    public BlobAction action() {
      return BlobAction.CREATE_BLOB;
    }

    @Override
    public Immutability protection() {
      return settings.immutability();
    }

    @Override
    public long lengthMax() {
      return LENGTH_MAX;
    }
  }

  record PutBlock(
      BlobAddress at, BlockId id, @Nullable UUID leaseId, long length, ExpectedChecksums expected)
      implements Upload {
    public static final long LENGTH_MAX = BlobLimits.BLOCK_BYTES_MAX;

    @Override
    public BlobAction action() {
      return BlobAction.CREATE_BLOB;
    }

    @Override
    public long lengthMax() {
      return LENGTH_MAX;
    }
  }

  /**
   * Appends a block.
   *
   * @param position the length that the blob must have; null for any
   * @param sizeMax the length that the blob may reach; null for any
   */
  record AppendBlock(
      BlobAddress at,
      @Nullable Long position,
      @Nullable Long sizeMax,
      RequestTerms terms,
      long length,
      ExpectedChecksums expected)
      implements Upload {
    public static final long LENGTH_MAX = BlobLimits.APPEND_BYTES_MAX;

    @Override
    public BlobAction action() {
      return BlobAction.APPEND_BLOCK;
    }

    @Override
    public long lengthMax() {
      return LENGTH_MAX;
    }
  }

  /**
   * Writes pages.
   *
   * @param range whole pages, as many bytes as the body
   */
  record PutPages(
      BlobAddress at,
      ByteRange range,
      SequenceConditions sequence,
      RequestTerms terms,
      long length,
      ExpectedChecksums expected)
      implements Upload {
    public static final long LENGTH_MAX = BlobLimits.PUT_PAGE_BYTES_MAX;

    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }

    @Override
    public long lengthMax() {
      return LENGTH_MAX;
    }
  }
}
