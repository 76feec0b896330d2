package io.lazuli.client.pattern.indexlist;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobAsyncClient;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import io.lazuli.client.entity.EntityKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Stores lists in blobs. The name of a blob consists of both parts of the list's key, separated by
 * a slash.
 */
record BlobKeyLists(BlobContainerAsyncClient container, Clock clock) implements KeyLists {
  private static final Map<String, String> METADATA = Map.of("lazulilist", "keys");
  private static final int NOT_FOUND = 404;

  /**
   * The statuses that refuse a conditional request: the blob is missing, already exists, or has
   * another ETag.
   */
  private static final Set<Integer> CHANGED = Set.of(NOT_FOUND, 409, 412);

  @Override
  public Mono<Stored> read(EntityKey list) {
    return blob(list)
        .downloadContentWithResponse(null, null)
        .map(
            answer ->
                new Stored(
                    KeyList.parse(answer.getValue().toBytes()),
                    Optional.of(answer.getDeserializedHeaders().getETag())))
        .onErrorResume(
            failure -> hasStatus(failure, Set.of(NOT_FOUND)), missing -> Mono.just(Stored.NONE));
  }

  @Override
  public Mono<Boolean> write(EntityKey list, Stored before, KeyList next) {
    BlobRequestConditions unchanged = new BlobRequestConditions();
    before.eTag().ifPresentOrElse(unchanged::setIfMatch, () -> unchanged.setIfNoneMatch("*"));
    return written(list, before, next, unchanged)
        .thenReturn(true)
        .onErrorResume(failure -> hasStatus(failure, CHANGED), refused -> Mono.empty());
  }

  private Mono<?> written(
      EntityKey list, Stored before, KeyList next, BlobRequestConditions unchanged) {
    if (before.eTag().isPresent() && next.equals(before.keys())) {
      return blob(list).setMetadataWithResponse(METADATA, unchanged);
    }
    return blob(list)
        .getBlockBlobAsyncClient()
        .uploadWithResponse(
            new BlockBlobSimpleUploadOptions(BinaryData.fromBytes(next.bytes()))
                .setMetadata(METADATA)
                .setRequestConditions(unchanged));
  }

  private BlobAsyncClient blob(EntityKey list) {
    return container.getBlobAsyncClient(list.partitionKey() + "/" + list.rowKey());
  }

  @Override
  public Mono<Long> sweep(Duration age) {
    Instant before = clock.instant().minus(age);
    ListBlobsOptions withMetadata =
        new ListBlobsOptions().setDetails(new BlobListDetails().setRetrieveMetadata(true));
    return container
        .listBlobs(withMetadata)
        .filter(blob -> METADATA.equals(blob.getMetadata()))
        .filter(blob -> blob.getProperties().getContentLength() == 0)
        .filter(blob -> blob.getProperties().getLastModified().toInstant().isBefore(before))
        .concatMap(this::delete)
        .filter(gone -> gone)
        .count();
  }

  private Mono<Boolean> delete(BlobItem blob) {
    BlobRequestConditions unchanged =
        new BlobRequestConditions().setIfMatch(blob.getProperties().getETag());
    return container
        .getBlobAsyncClient(blob.getName())
        .deleteWithResponse(DeleteSnapshotsOptionType.INCLUDE, unchanged)
        .thenReturn(true)
        .onErrorResume(failure -> hasStatus(failure, CHANGED), refused -> Mono.just(false));
  }

  private static boolean hasStatus(Throwable failure, Set<Integer> statuses) {
    return failure instanceof BlobStorageException refused
        && statuses.contains(refused.getStatusCode());
  }
}
