package io.lazuli.server.blob.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything about a blob but its bytes; also of a snapshot, which has neither lease nor uploads.
 *
 * @param changedTicks what the ETag is made of; its whole seconds are Last-Modified; 0 while the
 *     blob has uncommitted blocks only
 * @param creationTicks when the name first got a committed blob
 * @param tier null if it was never set
 * @param copy null if the blob is no copy, or was written since
 */
public record BlobProperties(
    BlobType type,
    long changedTicks,
    long creationTicks,
    BlobContent content,
    HttpProperties http,
    Map<String, String> metadata,
    BlobTags tags,
    @Nullable TierChoice tier,
    Lease lease,
    @Nullable CopyProperties copy,
    Upload upload,
    SnapshotCount snapshots) {
  public BlobProperties {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  /** A block blob of which nothing is committed. */
  public static final BlobProperties UNCOMMITTED =
      new BlobProperties(
          BlobType.BLOCK,
          0,
          0,
          BlobContent.NONE,
          HttpProperties.NONE,
          Map.of(),
          BlobTags.NONE,
          null,
          Lease.NONE,
          null,
          Upload.NONE,
          SnapshotCount.NONE);

  /** False if only uncommitted blocks are there: reads do not find such a blob. */
  public boolean isCommitted() {
    return changedTicks != 0;
  }

  /** Set Blob Metadata: copy properties end with it. */
  public BlobProperties withMetadata(Map<String, String> newMetadata, long ticks) {
    return new BlobProperties(
        type,
        ticks,
        creationTicks,
        content,
        http,
        newMetadata,
        tags,
        tier,
        lease,
        null,
        upload,
        snapshots);
  }

  /** Set Blob Properties: copy properties end with it. */
  public BlobProperties withHttp(HttpProperties newHttp, long ticks) {
    return new BlobProperties(
        type,
        ticks,
        creationTicks,
        content,
        newHttp,
        metadata,
        tags,
        tier,
        lease,
        null,
        upload,
        snapshots);
  }

  /** An append: copy properties end with it. */
  public BlobProperties withContent(BlobContent newContent, long ticks) {
    return new BlobProperties(
        type,
        ticks,
        creationTicks,
        newContent,
        http,
        metadata,
        tags,
        tier,
        lease,
        null,
        upload,
        snapshots);
  }

  /** Seals an append blob; its ETag stays. */
  public BlobProperties sealed() {
    return new BlobProperties(
        type,
        changedTicks,
        creationTicks,
        new BlobContent(content.version(), content.length(), content.blocks(), true),
        http,
        metadata,
        tags,
        tier,
        lease,
        null,
        upload,
        snapshots);
  }

  public BlobProperties withTags(BlobTags newTags) {
    return new BlobProperties(
        type,
        changedTicks,
        creationTicks,
        content,
        http,
        metadata,
        newTags,
        tier,
        lease,
        null,
        upload,
        snapshots);
  }

  public BlobProperties withTier(TierChoice newTier) {
    return new BlobProperties(
        type,
        changedTicks,
        creationTicks,
        content,
        http,
        metadata,
        tags,
        newTier,
        lease,
        null,
        upload,
        snapshots);
  }

  public BlobProperties withLease(Lease newLease) {
    return new BlobProperties(
        type,
        changedTicks,
        creationTicks,
        content,
        http,
        metadata,
        tags,
        tier,
        newLease,
        copy,
        upload,
        snapshots);
  }

  public BlobProperties withUpload(Upload newUpload) {
    return new BlobProperties(
        type,
        changedTicks,
        creationTicks,
        content,
        http,
        metadata,
        tags,
        tier,
        lease,
        copy,
        newUpload,
        snapshots);
  }

  public BlobProperties withSnapshots(SnapshotCount newSnapshots) {
    return new BlobProperties(
        type,
        changedTicks,
        creationTicks,
        content,
        http,
        metadata,
        tags,
        tier,
        lease,
        copy,
        upload,
        newSnapshots);
  }

  /** What a snapshot keeps of the blob. */
  public BlobProperties asSnapshot() {
    return withLease(Lease.NONE).withUpload(Upload.NONE).withSnapshots(SnapshotCount.NONE);
  }
}
