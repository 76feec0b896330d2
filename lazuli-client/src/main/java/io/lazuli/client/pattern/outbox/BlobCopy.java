package io.lazuli.client.pattern.outbox;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobListDetails;
import com.azure.storage.blob.models.BlobProperties;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DeleteSnapshotsOptionType;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import com.azure.storage.blob.specialized.BlockBlobAsyncClient;
import io.lazuli.client.background.ContainedWork;
import io.lazuli.client.entity.EntityKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Copies each entity of a primary table to a blob. The metadata of the blob has the version; a
 * deleted entity leaves an empty blob with {@code lazulideletedat} in its metadata. Immutable and
 * thread-safe.
 */
public final class BlobCopy<T> implements Target<T> {
  private static final String VERSION = "lazuliversion";
  private static final String DELETED_AT = "lazulideletedat";
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;

  private final BlobContainerAsyncClient container;
  private final Function<EntityKey, String> name;
  private final Function<T, BinaryData> content;
  private final Clock clock;

  private BlobCopy(
      BlobContainerAsyncClient container,
      Function<EntityKey, String> name,
      Function<T, BinaryData> content,
      Clock clock) {
    this.container = container;
    this.name = name;
    this.content = content;
    this.clock = clock;
  }

  /**
   * Creates copies in an existing container.
   *
   * @param name returns the name of the blob of an entity, which must be unique
   * @param content returns the content of the blob
   */
  public static <T> BlobCopy<T> of(
      BlobContainerAsyncClient container,
      Function<EntityKey, String> name,
      Function<T, BinaryData> content) {
    return new BlobCopy<>(container, name, content, Clock.systemUTC());
  }

  /** Sends two requests, or one if the blob is up to date. */
  @Override
  public Mono<Void> update(Primary<T> primary) {
    BlockBlobAsyncClient blob =
        container.getBlobAsyncClient(name.apply(primary.key())).getBlockBlobAsyncClient();
    return Swaps.until(primary.key(), found(blob).flatMap(before -> upload(blob, before, primary)))
        .then();
  }

  private static Mono<Optional<BlobProperties>> found(BlockBlobAsyncClient blob) {
    return ContainedWork.boundary(blob.getProperties())
        .map(Optional::of)
        .onErrorResume(
            failure -> hasStatus(failure, NOT_FOUND), missing -> Mono.just(Optional.empty()));
  }

  /** Uploads the blob. The result is empty if the blob has changed since it was read. */
  private Mono<Boolean> upload(
      BlockBlobAsyncClient blob, Optional<BlobProperties> before, Primary<T> primary) {
    if (before.filter(blobs -> version(blobs.getMetadata()) >= primary.version()).isPresent()) {
      return Mono.just(true);
    }
    BlobRequestConditions conditions = new BlobRequestConditions();
    before.ifPresentOrElse(
        properties -> conditions.setIfMatch(properties.getETag()),
        () -> conditions.setIfNoneMatch("*"));
    BinaryData data = primary.value().map(content).orElseGet(() -> BinaryData.fromString(""));
    BlockBlobSimpleUploadOptions sent =
        new BlockBlobSimpleUploadOptions(data)
            .setMetadata(metadata(primary))
            .setRequestConditions(conditions);
    return ContainedWork.boundary(blob.uploadWithResponse(sent))
        .map(done -> true)
        .onErrorResume(BlobCopy::changedSince, failure -> Mono.empty());
  }

  private Map<String, String> metadata(Primary<T> primary) {
    Map<String, String> metadata = new HashMap<>();
    metadata.put(VERSION, Long.toString(primary.version()));
    if (primary.value().isEmpty()) {
      metadata.put(DELETED_AT, clock.instant().toString());
    }
    return metadata;
  }

  private static long version(Map<String, String> metadata) {
    return Long.parseLong(metadata.getOrDefault(VERSION, "0"));
  }

  /** Returns whether this is the blob of an existing entity, not the tombstone of a deleted one. */
  public static boolean isLive(BlobProperties properties) {
    return !properties.getMetadata().containsKey(DELETED_AT);
  }

  /**
   * Removes the empty blobs of entities that were deleted at least this long ago; see {@link
   * AsyncPrimaryTable#sweep}. Lists the whole container.
   *
   * @return the number of removed blobs
   */
  public Mono<Long> sweep(Duration age) {
    Instant before = clock.instant().minus(age);
    ListBlobsOptions withMetadata =
        new ListBlobsOptions().setDetails(new BlobListDetails().setRetrieveMetadata(true));
    return container
        .listBlobs(withMetadata)
        .filter(item -> deletedBefore(item, before))
        .concatMap(this::remove)
        .filter(gone -> gone)
        .count();
  }

  private static boolean deletedBefore(BlobItem item, Instant before) {
    String deletedAt = Optional.ofNullable(item.getMetadata()).orElse(Map.of()).get(DELETED_AT);
    return deletedAt != null && Instant.parse(deletedAt).isBefore(before);
  }

  private Mono<Boolean> remove(BlobItem item) {
    BlobRequestConditions unchanged =
        new BlobRequestConditions().setIfMatch(item.getProperties().getETag());
    return container
        .getBlobAsyncClient(item.getName())
        .deleteWithResponse(DeleteSnapshotsOptionType.INCLUDE, unchanged)
        .map(gone -> true)
        .onErrorResume(BlobCopy::changedSince, failure -> Mono.just(false));
  }

  private static boolean changedSince(Throwable failure) {
    return hasStatus(failure, CONFLICT)
        || hasStatus(failure, PRECONDITION_FAILED)
        || hasStatus(failure, NOT_FOUND);
  }

  private static boolean hasStatus(Throwable failure, int status) {
    return failure instanceof BlobStorageException refused && refused.getStatusCode() == status;
  }
}
