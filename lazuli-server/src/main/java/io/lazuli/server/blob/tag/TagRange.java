package io.lazuli.server.blob.tag;

import org.jspecify.annotations.Nullable;

/**
 * A range of values of a tag.
 *
 * @param from the lowest value; null if there is none
 * @param to the highest value; null if there is none
 */
public record TagRange(
    @Nullable String from, boolean fromIncluded, @Nullable String to, boolean toIncluded) {
  public static final TagRange ALL = new TagRange(null, true, null, true);

  /** Returns the part of this range that a comparison permits; {@code <>} is not a range. */
  TagRange and(TagOperator operator, String value) {
    return switch (operator) {
      case EQUAL -> new TagRange(value, true, value, true);
      case GREATER -> new TagRange(value, false, to, toIncluded);
      case GREATER_OR_EQUAL -> new TagRange(value, true, to, toIncluded);
      case LESS -> new TagRange(from, fromIncluded, value, false);
      case LESS_OR_EQUAL -> new TagRange(from, fromIncluded, value, true);
      case NOT_EQUAL -> throw new IllegalArgumentException("not a range");
    };
  }

  /** Returns the only value of the range; null if it may have several. */
  public @Nullable String only() {
    return from != null && from.equals(to) && fromIncluded && toIncluded ? from : null;
  }

  public boolean contains(String value) {
    int above = from == null ? 1 : value.compareTo(from);
    int below = to == null ? -1 : value.compareTo(to);
    return (above > 0 || (above == 0 && fromIncluded)) && (below < 0 || (below == 0 && toIncluded));
  }
}
