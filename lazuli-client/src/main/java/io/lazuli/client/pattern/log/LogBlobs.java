package io.lazuli.client.pattern.log;

import com.azure.core.util.BinaryData;
import com.azure.core.util.FluxUtil;
import com.azure.storage.blob.BlobContainerAsyncClient;
import com.azure.storage.blob.models.AppendBlobRequestConditions;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobItem;
import com.azure.storage.blob.models.BlobRange;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.ListBlobsOptions;
import com.azure.storage.blob.options.AppendBlobAppendBlockOptions;
import com.azure.storage.blob.options.AppendBlobCreateOptions;
import com.azure.storage.blob.specialized.AppendBlobAsyncClient;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import reactor.core.publisher.Mono;

/** The storage requests of a log writer. Immutable. */
final class LogBlobs {
  static final String START_TIME = "StartTime";
  static final String END_TIME = "EndTime";

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final int RANGE_NOT_SATISFIABLE = 416;
  private static final int COUNTER_MAX = 999_999;

  private final BlobContainerAsyncClient container;
  private final LogNames names;

  LogBlobs(BlobContainerAsyncClient container, LogNames names) {
    this.container = container;
    this.names = names;
  }

  /**
   * Creates a blob with the next free counter of an hour: two requests, more if other writers take
   * the counter first.
   */
  Mono<OpenLogBlob> create(Instant first) {
    Instant hour = LogNames.hourOf(first);
    return container
        .listBlobs(new ListBlobsOptions().setPrefix(names.ofHour(hour)))
        .map(BlobItem::getName)
        .reduce(-1, (highest, name) -> Math.max(highest, LogNames.counterOf(name)))
        .flatMap(highest -> create(first, hour, highest + 1));
  }

  /**
   * Creates the blob with this counter, or with the next one if that blob exists. The existing blob
   * may be our own, created by a request whose response was lost; it then stays empty.
   */
  private Mono<OpenLogBlob> create(Instant first, Instant hour, int counter) {
    if (counter > COUNTER_MAX) {
      return Mono.error(new IllegalStateException("an hour can have at most a million blobs"));
    }
    AppendBlobAsyncClient blob =
        container.getBlobAsyncClient(names.of(hour, counter)).getAppendBlobAsyncClient();
    return blob.createWithResponse(
            new AppendBlobCreateOptions()
                .setHeaders(new BlobHttpHeaders().setContentType("text/plain; charset=utf-8"))
                .setMetadata(Map.of(START_TIME, first.toString()))
                .setRequestConditions(new BlobRequestConditions().setIfNoneMatch("*")))
        .map(made -> new OpenLogBlob(blob, first, first, 0, 0))
        .onErrorResume(LogBlobs::isTaken, taken -> create(first, hour, counter + 1));
  }

  /**
   * Appends a block at the known end of the blob: one request. If there is data at that position,
   * compares it with the block, because an earlier attempt may have stored it.
   *
   * @return the blob with the block; empty if it can never take the block
   */
  Mono<OpenLogBlob> append(OpenLogBlob blob, LogBlock block) {
    AppendBlobRequestConditions atTheEnd =
        new AppendBlobRequestConditions().setAppendPosition(blob.bytes());
    return blob.client()
        .appendBlockWithResponse(
            new AppendBlobAppendBlockOptions(BinaryData.fromBytes(block.bytes()))
                .setRequestConditions(atTheEnd))
        .thenReturn(true)
        .onErrorResume(LogBlobs::isRefusedForEver, refused -> stored(blob, block))
        .filter(stored -> stored)
        .map(stored -> blob.with(block));
  }

  private static Mono<Boolean> stored(OpenLogBlob blob, LogBlock block) {
    BlobRange range = new BlobRange(blob.bytes(), (long) block.bytes().length);
    return blob.client()
        .downloadStreamWithResponse(range, null, null, false)
        .flatMap(answer -> FluxUtil.collectBytesInByteBufferStream(answer.getValue()))
        .map(bytes -> Arrays.equals(bytes, block.bytes()))
        .onErrorResume(
            failure -> isMissing(failure) || isBeyondTheEnd(failure), none -> Mono.just(false));
  }

  /**
   * Stores the times of the first and last entry as metadata: one request. A failure is ignored,
   * because the lines have the same times.
   */
  Mono<Void> finish(OpenLogBlob blob) {
    return blob.client()
        .setMetadata(Map.of(START_TIME, blob.first().toString(), END_TIME, blob.last().toString()))
        .onErrorComplete();
  }

  private static boolean isTaken(Throwable failure) {
    return hasStatus(failure, CONFLICT) || hasStatus(failure, PRECONDITION_FAILED);
  }

  /**
   * Returns whether a retry cannot help: the blob has another length, is sealed, full or deleted.
   */
  private static boolean isRefusedForEver(Throwable failure) {
    return isTaken(failure) || isMissing(failure);
  }

  static boolean isMissing(Throwable failure) {
    return hasStatus(failure, NOT_FOUND);
  }

  static boolean isBeyondTheEnd(Throwable failure) {
    return hasStatus(failure, RANGE_NOT_SATISFIABLE);
  }

  private static boolean hasStatus(Throwable failure, int status) {
    return failure instanceof BlobStorageException refused && refused.getStatusCode() == status;
  }
}
