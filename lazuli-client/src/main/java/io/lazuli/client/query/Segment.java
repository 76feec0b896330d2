package io.lazuli.client.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The response to one request of a query. Immutable.
 *
 * @param values in the order of the keys; may be empty although more segments follow
 * @param next where the query continues; null after the last segment
 * @param plan how the server executed the request; null if the server is not Lazuli
 * @param explanation what the request cost; null if it was not asked for, or if the server is not
 *     Lazuli
 * @param <T> the type of the values
 */
public record Segment<T>(
    List<T> values,
    @Nullable Token next,
    @Nullable ServerPlan plan,
    @Nullable ServerExplanation explanation) {
  /** Copies the list. */
  public Segment {
    values = List.copyOf(values);
  }
}
