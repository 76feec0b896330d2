package io.lazuli.server.blob.tag;

import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.tag.TagExpression.Comparison;
import io.lazuli.server.error.ServiceException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The expression of a search (blob-features 1.5): one range of values for each key, all of which
 * must hold.
 *
 * @param container the only container to search; null for all
 * @param ranges in the order of the expression; empty if the expression names only a container
 */
public record TagQuery(@Nullable String container, Map<String, TagRange> ranges) {
  private static final String SEVERAL =
      "Error parsing query: can't have multiple conditions for a single tag unless they define a"
          + " range";

  public TagQuery {
    ranges = Collections.unmodifiableMap(new LinkedHashMap<>(ranges));
  }

  /**
   * Combines comparisons that must all hold. Two of them may have the same key if they bound a
   * range from both sides.
   *
   * @param refusal makes the exception to throw, from a description of the fault
   */
  static TagQuery require(
      List<Comparison> comparisons, Function<String, ServiceException> refusal) {
    Map<String, List<Comparison>> byKey = new LinkedHashMap<>();
    comparisons.forEach(
        comparison ->
            byKey.computeIfAbsent(comparison.key(), key -> new ArrayList<>()).add(comparison));
    List<Comparison> containers = byKey.remove(TagExpressionParser.CONTAINER);
    if (containers != null && containers.size() > 1) {
      throw refusal.apply(SEVERAL);
    }
    if (byKey.size() > BlobLimits.TAGS_MAX) {
      throw refusal.apply("Error parsing query: there can be at most 10 unique tags in a query");
    }
    Map<String, TagRange> ranges = new LinkedHashMap<>();
    byKey.forEach((key, list) -> ranges.put(key, range(list, refusal)));
    return new TagQuery(containers == null ? null : containers.get(0).value(), ranges);
  }

  private static TagRange range(
      List<Comparison> comparisons, Function<String, ServiceException> refusal) {
    Comparison first = comparisons.get(0);
    TagRange range = TagRange.ALL.and(first.operator(), first.value());
    if (comparisons.size() == 1) {
      return range;
    }
    Comparison second = comparisons.get(1);
    boolean bothSides =
        first.operator().isLowerBound()
            ? second.operator().isUpperBound()
            : first.operator().isUpperBound() && second.operator().isLowerBound();
    if (comparisons.size() > 2 || !bothSides) {
      throw refusal.apply(SEVERAL);
    }
    return range.and(second.operator(), second.value());
  }

  /** Returns the keys whose value the expression fixes, with these values. */
  public Map<String, String> fixed() {
    Map<String, String> fixed = new LinkedHashMap<>();
    ranges.forEach(
        (key, range) -> {
          String only = range.only();
          if (only != null) {
            fixed.put(key, only);
          }
        });
    return fixed;
  }

  /** Returns true if the tags have a value in every range. */
  public boolean matches(Map<String, String> tags) {
    return ranges.entrySet().stream()
        .allMatch(
            range -> {
              String value = tags.get(range.getKey());
              return value != null && range.getValue().contains(value);
            });
  }
}
