package io.lazuli.storage.hbase.cut;

import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for answers of the library, each within a bound. */
final class Waiting {
  private Waiting() {}

  /**
   * Returns the answer.
   *
   * @throws StorageException if the cluster refuses or does not answer in time
   */
  static <T> T await(CompletableFuture<T> answer, Duration bound) {
    try {
      return answer.get(bound.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw unavailable(String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      throw unavailable("no answer within " + bound.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("interrupted", e);
    }
  }

  private static StorageException unavailable(String message, Exception cause) {
    String line = message.lines().findFirst().orElse(message);
    return new StorageException(StorageException.Kind.UNAVAILABLE, line, cause);
  }
}
