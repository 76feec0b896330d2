package io.lazuli.client.pattern.outbox;

/**
 * An index that a primary table declares with {@link AsyncPrimaryTable#indexedBy(Index)}. {@link
 * AsyncPrimaryTable#by(Index)} returns it for searching. Implementations are immutable and
 * thread-safe.
 *
 * @param <T> the type of the values of the table
 * @param <I> the type that searches the index and that workers update
 */
@FunctionalInterface
public interface Index<T, I extends Target<T>> {
  /** Returns this index of a table. It may read the table, but must not write to it. */
  I of(AsyncPrimaryTable<T> source);
}
