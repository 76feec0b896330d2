package io.lazuli.client.table;

import java.util.List;

/**
 * Writes to one partition that are made all or not at all: at most 100 and at most 4 MiB, with at
 * most one write per entity. Immutable.
 *
 * @param writes in the order in which they are made
 * @param <T> the type of the entities
 */
public record Batch<T>(List<Write<T>> writes) {
  /** Copies the list. */
  public Batch {
    writes = List.copyOf(writes);
  }

  /** Returns a batch of these writes. */
  @SafeVarargs
  @SuppressWarnings("varargs") // The array is copied, not kept.
  public static <T> Batch<T> of(Write<T>... writes) {
    return new Batch<>(List.of(writes));
  }
}
