package io.lazuli.server.blob.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
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
    return written(ticks, draft -> draft.metadata = newMetadata);
  }

  /** Set Blob Properties: copy properties end with it. */
  public BlobProperties withHttp(HttpProperties newHttp, long ticks) {
    return written(ticks, draft -> draft.http = newHttp);
  }

  /** An append: copy properties end with it. */
  public BlobProperties withContent(BlobContent newContent, long ticks) {
    return written(ticks, draft -> draft.content = newContent);
  }

  /** Seals an append blob; its ETag stays. */
  public BlobProperties sealed() {
    BlobContent sealed =
        new BlobContent(content.version(), content.length(), content.blocks(), true);
    return written(changedTicks, draft -> draft.content = sealed);
  }

  public BlobProperties withTags(BlobTags newTags) {
    return written(changedTicks, draft -> draft.tags = newTags);
  }

  public BlobProperties withTier(TierChoice newTier) {
    return written(changedTicks, draft -> draft.tier = newTier);
  }

  public BlobProperties withLease(Lease newLease) {
    return with(draft -> draft.lease = newLease);
  }

  public BlobProperties withUpload(Upload newUpload) {
    return with(draft -> draft.upload = newUpload);
  }

  public BlobProperties withSnapshots(SnapshotCount newSnapshots) {
    return with(draft -> draft.snapshots = newSnapshots);
  }

  /** What a snapshot keeps of the blob. */
  public BlobProperties asSnapshot() {
    return withLease(Lease.NONE).withUpload(Upload.NONE).withSnapshots(SnapshotCount.NONE);
  }

  /** After a write the blob is no copy any more (blob-rest 10.8). */
  private BlobProperties written(long ticks, Consumer<Draft> change) {
    return with(
        draft -> {
          draft.changedTicks = ticks;
          draft.copy = null;
          change.accept(draft);
        });
  }

  private BlobProperties with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new BlobProperties(
        type,
        draft.changedTicks,
        creationTicks,
        draft.content,
        draft.http,
        draft.metadata,
        draft.tags,
        draft.tier,
        draft.lease,
        draft.copy,
        draft.upload,
        draft.snapshots);
  }

  /** What changes of a blob, while it is being changed; mutable, and never leaves this class. */
  private static final class Draft {
    private long changedTicks;
    private BlobContent content;
    private HttpProperties http;
    private Map<String, String> metadata;
    private BlobTags tags;
    private @Nullable TierChoice tier;
    private Lease lease;
    private @Nullable CopyProperties copy;
    private Upload upload;
    private SnapshotCount snapshots;

    Draft(BlobProperties from) {
      changedTicks = from.changedTicks;
      content = from.content;
      http = from.http;
      metadata = from.metadata;
      tags = from.tags;
      tier = from.tier;
      lease = from.lease;
      copy = from.copy;
      upload = from.upload;
      snapshots = from.snapshots;
    }
  }
}
