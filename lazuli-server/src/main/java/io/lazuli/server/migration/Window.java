package io.lazuli.server.migration;

import io.lazuli.server.error.ServiceException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Runs a bounded number of writes concurrently, so that the engine can sync many of them together.
 * Mutable; used by one thread.
 *
 * @param <T> the outcome of a write
 */
final class Window<T> {
  private static final int WRITES_MAX = 64;

  private final Deque<Write<T>> writes = new ArrayDeque<>();

  private record Write<T>(
      CompletionStage<T> outcome, Consumer<T> done, Consumer<ServiceException> refused) {}

  /**
   * Adds a write. If the window is full, it waits for the oldest write.
   *
   * @param done receives the outcome; it may throw the refusal that the outcome carries
   */
  void add(CompletionStage<T> outcome, Consumer<T> done, Consumer<ServiceException> refused) {
    writes.add(new Write<>(outcome, done, refused));
    if (writes.size() >= WRITES_MAX) {
      finishFirst();
    }
  }

  /** Waits for all writes. */
  void finish() {
    while (!writes.isEmpty()) {
      finishFirst();
    }
  }

  private void finishFirst() {
    Write<T> first = writes.remove();
    try {
      first.done().accept(AzuriteImport.await(first.outcome()));
    } catch (ServiceException e) {
      first.refused().accept(e);
    }
  }
}
