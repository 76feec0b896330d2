package io.lazuli.client.table;

import io.lazuli.client.query.Segment;
import io.lazuli.client.query.Token;
import java.util.Collections;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Fetches a segment when the previous one has been read. Used by the single thread of its stream.
 */
final class SegmentSpliterator<T> extends AbstractSpliterator<T> {
  private final Function<@Nullable Token, Segment<T>> fetch;
  private Iterator<T> values = Collections.emptyIterator();
  private @Nullable Token next;
  private boolean begun;

  private SegmentSpliterator(Function<@Nullable Token, Segment<T>> fetch) {
    super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
    this.fetch = fetch;
  }

  static <T> Stream<T> stream(Function<@Nullable Token, Segment<T>> fetch) {
    return StreamSupport.stream(new SegmentSpliterator<>(fetch), false);
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    while (!values.hasNext()) {
      if (begun && next == null) {
        return false;
      }
      Segment<T> segment = fetch.apply(next);
      values = segment.values().iterator();
      next = segment.next();
      begun = true;
    }
    action.accept(values.next());
    return true;
  }
}
