package io.lazuli.client.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a query answers at once. Immutable.
 *
 * @param values in the order of the keys; there may be none although there are more segments
 * @param next where the query goes on; null after the last segment
 * @param <T> the type of the values
 */
public record Segment<T>(List<T> values, @Nullable Token next) {
  /** Copies the list. */
  public Segment {
    values = List.copyOf(values);
  }
}
