package io.lazuli.client.pattern.indexlist;

import com.azure.core.util.BinaryData;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.AsyncTable;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import reactor.core.publisher.Mono;

/**
 * Blobs with lists that are too large for their entities. Each blob is written once and never
 * changed.
 */
record ListBlobs(BlobContainerAsyncClient container, Clock clock) {
  /**
   * Younger blobs are not deleted. A client that uploads a blob stores the blob's name in an entity
   * long before the blob is this old.
   */
  private static final Duration YOUNG = Duration.ofHours(1);

  private static final String PARTITION_KEY = "lazulipartitionkey";
  private static final String ROW_KEY = "lazulirowkey";
  private static final int NOT_FOUND = 404;

  /** Uploads a new blob and returns its name. */
  Mono<String> upload(EntityKey list, byte[] bytes) {
    String name = UUID.randomUUID().toString();
    Map<String, String> metadata =
        Map.of(PARTITION_KEY, quoted(list.partitionKey()), ROW_KEY, quoted(list.rowKey()));
    return container
        .getBlobAsyncClient(name)
        .getBlockBlobAsyncClient()
        .uploadWithResponse(
            new BlockBlobSimpleUploadOptions(BinaryData.fromBytes(bytes)).setMetadata(metadata))
        .thenReturn(name);
  }

  /** Returns the content; empty if the blob does not exist. */
  Mono<byte[]> download(String name) {
    return container
        .getBlobAsyncClient(name)
        .downloadContent()
        .map(BinaryData::toBytes)
        .onErrorResume(
            failure ->
                failure instanceof BlobStorageException refused
                    && refused.getStatusCode() == NOT_FOUND,
            missing -> Mono.empty());
  }

  /** Deletes the blobs that no entity names, except those of the last hour. */
  Mono<Long> collect(AsyncTable<TableEntity> lists) {
    Instant before = clock.instant().minus(YOUNG);
    ListBlobsOptions withMetadata =
        new ListBlobsOptions().setDetails(new BlobListDetails().setRetrieveMetadata(true));
    return container
        .listBlobs(withMetadata)
        .filter(blob -> blob.getMetadata() != null && blob.getMetadata().containsKey(ROW_KEY))
        .filter(blob -> blob.getProperties().getCreationTime().toInstant().isBefore(before))
        .filterWhen(blob -> isNamed(blob, lists).map(named -> !named))
        .concatMap(blob -> container.getBlobAsyncClient(blob.getName()).deleteIfExists())
        .filter(gone -> gone)
        .count();
  }

  private static Mono<Boolean> isNamed(BlobItem blob, AsyncTable<TableEntity> lists) {
    EntityKey list =
        new EntityKey(
            unquoted(blob.getMetadata().getOrDefault(PARTITION_KEY, "_")),
            unquoted(blob.getMetadata().getOrDefault(ROW_KEY, "_")));
    return lists
        .find(list)
        .filter(entity -> blob.getName().equals(entity.getProperty(ListEntities.BLOB)))
        .hasElement();
  }

  private static String quoted(String key) {
    return "_" + URLEncoder.encode(key, StandardCharsets.UTF_8);
  }

  private static String unquoted(String text) {
    return URLDecoder.decode(text.substring(1), StandardCharsets.UTF_8);
  }
}
