package io.lazuli.server.blob.service;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Deadline;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The content of a source on another server, while it is read. Must be closed. */
public interface ExternalContent extends AutoCloseable {
  BlobType type();

  /** Returns the number of bytes that {@link #read} returns in all. */
  long length();

  HttpProperties http();

  Map<String, String> metadata();

  /** Returns the tag of the content without quotes; null if it has none, or only a weak one. */
  @Nullable String etag();

  /** Returns the next bytes; null at the end. Called again when the stage is complete. */
  CompletionStage<@Nullable ByteBuffer> read();

  /** Passes the content to a target, a piece at a time, on the workers. */
  default CompletableFuture<@Nullable Void> transfer(
      Deadline deadline,
      Executor workers,
      Function<ByteBuffer, CompletionStage<@Nullable Void>> target) {
    return Futures.repeat(
        () ->
            read()
                .thenComposeAsync(
                    bytes -> {
                      if (bytes == null) {
                        return CompletableFuture.completedFuture(false);
                      } else if (deadline.hasPassed()) {
                        throw BlobErrors.COPY_SOURCE_UNREACHABLE.exception();
                      }
                      return target.apply(bytes).thenApply(taken -> true);
                    },
                    workers)
                .toCompletableFuture());
  }

  @Override
  void close();
}
