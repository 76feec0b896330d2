package io.lazuli.server.migration;

import io.lazuli.server.error.ServiceException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Writes under way: so many that the engine syncs them together, and no more. Mutable; used by one
 * thread.
 *
 * @param <T> what comes of a write
 */
final class Window<T> {
  private static final int WRITES_MAX = 64;

  private final Deque<Write<T>> writes = new ArrayDeque<>();

  private record Write<T>(
      CompletionStage<T> outcome, Consumer<T> done, Consumer<ServiceException> refused) {}

  /**
   * Takes a write; waits for the oldest one if there are many.
   *
   * @param done takes what came of it, and may still throw that it was refused
   */
  void add(CompletionStage<T> outcome, Consumer<T> done, Consumer<ServiceException> refused) {
    writes.add(new Write<>(outcome, done, refused));
    if (writes.size() >= WRITES_MAX) {
      finishFirst();
    }
  }

  /** Waits for all. */
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
