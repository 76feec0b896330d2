package io.lazuli.server.catalog;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.StorageException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What an engine's failures mean to a client of a service. */
public final class StorageFailures {
  private StorageFailures() {}

  /** Does work; a failure of the engine comes out as the protocol's error. */
  public static <T extends @Nullable Object> T translating(Supplier<T> work) {
    try {
      return work.get();
    } catch (StorageException e) {
      throw translate(e);
    }
  }

  /** Does work that ends later; its failures, thrown or not, come out in the stage. */
  public static <T> CompletionStage<T> translatingStage(Supplier<CompletionStage<T>> work) {
    try {
      return work.get()
          .exceptionally(
              failure -> {
                throw of(failure);
              });
    } catch (ServiceException | StorageException e) {
      return CompletableFuture.failedFuture(translate(e));
    }
  }

  /** What the failure of a future means. */
  private static RuntimeException of(Throwable failure) {
    Throwable cause = Futures.cause(failure);
    return cause instanceof RuntimeException e ? translate(e) : new CompletionException(cause);
  }

  /**
   * A storage failure as the protocol's error; anything else as it is. Damaged records stay what
   * they are: they become a 500 and are logged with all there is to know.
   */
  private static RuntimeException translate(RuntimeException failure) {
    if (!(failure instanceof StorageException storage)) {
      return failure;
    }
    return switch (storage.kind()) {
      case UNAVAILABLE, CLOSED, SPACE_GONE -> CommonErrors.SERVER_BUSY.exception();
      case TIMEOUT, UNKNOWN_OUTCOME -> CommonErrors.OPERATION_TIMED_OUT.exception();
      case CORRUPT -> storage;
    };
  }
}
