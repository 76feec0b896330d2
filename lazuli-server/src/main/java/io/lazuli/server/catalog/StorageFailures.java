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

/** Translates failures of an engine into errors of the protocol. */
public final class StorageFailures {
  private static final DamageLog DAMAGE = new DamageLog(System::nanoTime);

  private StorageFailures() {}

  /**
   * Runs work that completes later. The returned stage carries all failures, including exceptions
   * that the work throws.
   */
  public static <T extends @Nullable Object> CompletionStage<T> translatingStage(
      Supplier<CompletionStage<T>> work) {
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

  /** Returns true if a transaction failed and may have taken place nevertheless. */
  public static boolean isUnknownOutcome(Throwable failure) {
    return Futures.cause(failure) instanceof StorageException e
        && e.kind() == StorageException.Kind.UNKNOWN_OUTCOME;
  }

  /** Translates the failure of a future to an exception. */
  private static RuntimeException of(Throwable failure) {
    Throwable cause = Futures.cause(failure);
    return cause instanceof RuntimeException e ? translate(e) : new CompletionException(cause);
  }

  /**
   * Translates a storage failure; returns anything else as it is. Damage is logged here: the client
   * gets no details of it.
   */
  private static RuntimeException translate(RuntimeException failure) {
    if (!(failure instanceof StorageException storage)) {
      return failure;
    }
    return switch (storage.kind()) {
      case UNAVAILABLE, CLOSED, SPACE_GONE -> CommonErrors.SERVER_BUSY.exception();
      case TIMEOUT, UNKNOWN_OUTCOME -> CommonErrors.OPERATION_TIMED_OUT.exception();
      case CORRUPT -> {
        DAMAGE.found(storage);
        yield CommonErrors.INTERNAL_ERROR.exception();
      }
    };
  }
}
