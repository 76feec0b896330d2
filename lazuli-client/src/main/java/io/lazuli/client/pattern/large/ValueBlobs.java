package io.lazuli.client.pattern.large;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.DateTimeRfc1123;
import com.azure.data.tables.models.TableEntity;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import io.lazuli.client.entity.EntityKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The blobs that hold the large values of one table, named {@code table/owner/uuid.bin}, where
 * {@code owner} is a hash of the entity's key. Every upload gets a new name that does not depend on
 * the content. Otherwise a new write could refer to an orphan at the moment it is collected. The
 * key itself is in the metadata, because a key can be longer than the name of a blob. Immutable.
 */
final class ValueBlobs {
  private static final int NOT_FOUND = 404;
  private static final int AT_ONCE = 4;
  private static final int OWNER_BYTES = 16;
  private static final String PARTITION_KEY = "partitionkey";
  private static final String ROW_KEY = "rowkey";

  /** Prefixes keys in metadata: keys can be empty, metadata values cannot. */
  private static final String KEY_MARK = "k";

  private final BlobContainerAsyncClient container;
  private final String table;

  ValueBlobs(BlobContainerAsyncClient container, String table) {
    this.container = container;
    this.table = table;
  }

  String freshAddress(TableEntity owner, LargeValue value) {
    return prefixOf(EntityKey.of(owner)) + UUID.randomUUID() + value.suffix();
  }

  /** Returns the prefix of the names of all blobs of an entity. */
  String prefixOf(EntityKey owner) {
    return prefix() + hash(owner) + "/";
  }

  /** Returns the prefix of the names of all blobs of the table. */
  String prefix() {
    return table + "/";
  }

  private static String hash(EntityKey key) {
    byte[] partitionKey = key.partitionKey().getBytes(StandardCharsets.UTF_8);
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(partitionKey.length).array());
      digest.update(partitionKey);
      byte[] hash = digest.digest(key.rowKey().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(Arrays.copyOf(hash, OWNER_BYTES));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java runtime does not have SHA-256", missing);
    }
  }

  /** Uploads the new blobs: one request for each. */
  Mono<Void> upload(Split split) {
    Map<String, String> owner = owner(EntityKey.of(split.entity()));
    return Flux.fromIterable(split.fresh().entrySet())
        .flatMap(blob -> upload(blob.getKey(), blob.getValue(), owner), AT_ONCE)
        .then();
  }

  /**
   * Uploads a blob. If the blob exists, it is overwritten: the name is new, so only an earlier
   * attempt of this upload, whose response was lost, can have created it.
   */
  private Mono<Void> upload(String address, LargeValue value, Map<String, String> owner) {
    return container
        .getBlobAsyncClient(address)
        .getBlockBlobAsyncClient()
        .uploadWithResponse(
            new BlockBlobSimpleUploadOptions(value.content())
                .setMetadata(owner)
                .setHeaders(new BlobHttpHeaders().setContentType(value.contentType())))
        .then();
  }

  /** Downloads blobs: one request for each. */
  Mono<Map<String, LargeValue>> download(Map<String, String> addresses) {
    return Flux.fromIterable(addresses.entrySet())
        .flatMap(
            blob ->
                container
                    .getBlobAsyncClient(blob.getValue())
                    .downloadContent()
                    .map(content -> LargeValue.read(blob.getValue(), content))
                    .map(value -> Map.entry(blob.getKey(), value)),
            AT_ONCE)
        .collectMap(Map.Entry::getKey, Map.Entry::getValue);
  }

  /** Removes blobs and returns the number of blobs that existed. */
  Mono<Long> remove(Collection<String> addresses) {
    return Flux.fromIterable(addresses)
        .flatMap(address -> container.getBlobAsyncClient(address).deleteIfExists(), AT_ONCE)
        .filter(removed -> removed)
        .count();
  }

  static boolean isMissing(Throwable failure) {
    return failure instanceof BlobStorageException refused && refused.getStatusCode() == NOT_FOUND;
  }

  /**
   * Returns pages of blobs in the order of their names, which keeps the blobs of an entity
   * together.
   */
  Flux<PagedResponse<BlobItem>> pages(String prefix) {
    return container
        .listBlobs(
            new ListBlobsOptions()
                .setPrefix(prefix)
                .setDetails(new BlobListDetails().setRetrieveMetadata(true)))
        .byPage();
  }

  /**
   * Returns the time of the response by the service's clock, because the clock of this machine may
   * be wrong.
   */
  static Instant time(PagedResponse<?> page) {
    String date = Objects.requireNonNull(page.getHeaders().getValue(HttpHeaderName.DATE), "Date");
    return new DateTimeRfc1123(date).getDateTime().toInstant();
  }

  private static Map<String, String> owner(EntityKey key) {
    return Map.of(PARTITION_KEY, encoded(key.partitionKey()), ROW_KEY, encoded(key.rowKey()));
  }

  /** Returns the key of the entity whose value is in a listed blob. */
  static EntityKey owner(BlobItem blob) {
    Map<String, String> metadata = blob.getMetadata();
    if (metadata == null || !metadata.containsKey(PARTITION_KEY)) {
      throw new IllegalStateException(
          "the blob " + blob.getName() + " does not contain a large value");
    }
    return new EntityKey(
        decoded(String.valueOf(metadata.get(PARTITION_KEY))),
        decoded(String.valueOf(metadata.get(ROW_KEY))));
  }

  private static String encoded(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return KEY_MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String decoded(String text) {
    byte[] bytes = Base64.getUrlDecoder().decode(text.substring(KEY_MARK.length()));
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
