package io.lazuli.server.blob.service;

import io.lazuli.server.access.StoredAccessPolicy;
import io.lazuli.server.blob.model.AccessTier;
import io.lazuli.server.blob.model.BlobLimits;
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
import io.lazuli.server.error.CommonErrors;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Everything that can be asked of the blob service. */
public sealed interface BlobOperation {
  /** What the caller must be allowed to do. */
  BlobAction action();

  /**
   * Lists containers, by page.
   *
   * @param from name of the first container of this page; empty for the first page
   * @param system true to show those too that only the server makes
   */
  record ListContainers(String prefix, String from, int max, boolean system)
      implements BlobOperation {
    @Override
    public BlobAction action() {
      return BlobAction.LIST_CONTAINERS;
    }
  }

  /** What is about one container. */
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

  /** Deletes a container with all that is in it; tags of the conditions are not looked at. */
  record DeleteContainer(ContainerName container, RequestTerms terms) implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.DELETE_CONTAINER;
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
      return BlobAction.CONTAINER_ACCESS;
    }
  }

  /** Sets stored access policies and the level of public access, in one change. */
  record ReplaceContainerAccess(
      ContainerName container,
      PublicAccess publicAccess,
      List<StoredAccessPolicy> policies,
      RequestTerms terms)
      implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.CONTAINER_ACCESS;
    }
  }

  /** The ids of the lease are part of the action. */
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
      implements OnContainer {
    @Override
    public BlobAction action() {
      return BlobAction.LIST_BLOBS;
    }
  }

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
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.READ_BLOB;
    }
  }

  /**
   * Opens the content for reading.
   *
   * @param range as it was asked; null for all
   */
  record GetBlob(
      BlobAddress at, @Nullable Long snapshotTicks, @Nullable ByteRange range, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.READ_BLOB;
    }
  }

  record ReadTags(BlobAddress at, @Nullable Long snapshotTicks, @Nullable UUID leaseId)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.TAGS;
    }
  }

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

  /** Sets all HTTP properties; those that are null are cleared. */
  record ReplaceHttp(BlobAddress at, HttpProperties http, RequestTerms terms) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  record ReplaceTags(BlobAddress at, BlobTags tags, @Nullable UUID leaseId) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.TAGS;
    }
  }

  record SetTier(BlobAddress at, AccessTier tier, @Nullable UUID leaseId) implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

  /**
   * Closes an append blob.
   *
   * @param position the length that it must have; null for any
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
   * @param metadata null to take over the blob's
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

  /** The ids of the lease are part of the action. */
  record LeaseBlob(BlobAddress at, LeaseAction lease, Conditions conditions) implements OnBlob {
    @Override
    public BlobAction action() {
      return lease instanceof LeaseAction.Break
          ? BlobAction.BREAK_BLOB_LEASE
          : BlobAction.CHANGE_BLOB;
    }
  }

  /**
   * Puts a block list in place.
   *
   * @param entries at most 50,000
   */
  record PutBlockList(
      BlobAddress at, List<BlockListEntry> entries, BlobSettings settings, RequestTerms terms)
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CHANGE_BLOB;
    }
  }

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
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.CREATE_BLOB;
    }
  }

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
      return BlobAction.CHANGE_BLOB;
    }
  }

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
      implements OnBlob {
    @Override
    public BlobAction action() {
      return BlobAction.APPEND_BLOCK;
    }
  }

  /** What brings a body, and therefore begins with {@link BlobService#upload}. */
  sealed interface Upload extends OnBlob {
    /** As announced. */
    long length();

    /** The longest body that the operation takes. */
    long lengthMax();

    /** What the request says that its body has. */
    ExpectedChecksums expected();

    /** Throws if a body is longer than its operation takes. */
    static void requireLength(long length, long lengthMax) {
      if (length > lengthMax) {
        throw CommonErrors.REQUEST_BODY_TOO_LARGE
            .exception()
            .with("MaxLimit", Long.toString(lengthMax));
      }
    }
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
      implements Upload {
    public static final long LENGTH_MAX = BlobLimits.PUT_BLOB_BYTES_MAX;

    @Override
    public BlobAction action() {
      return BlobAction.CREATE_BLOB;
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
      return BlobAction.CHANGE_BLOB;
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
   * @param sizeMax the length that it may reach; null for any
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
}
