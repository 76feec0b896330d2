package io.lazuli.server.backup;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a segment of the archive, which says what it has. The changes of a segment have
 * consecutive numbers; the first segment of a chain has none, and {@code last} is then one less
 * than {@code first}.
 *
 * @param first the number of the first change
 * @param last the number of the last change
 * @param beginTicks the time up to which the segment before has everything
 * @param endTicks the time up to which this one has everything: no later change is before it
 */
public record SegmentName(long first, long last, long beginTicks, long endTicks)
    implements Comparable<SegmentName> {
  private static final Pattern TEXT = Pattern.compile("(\\d{19})-(\\d{19})-(\\d{19})-(\\d{19})");
  private static final Comparator<SegmentName> ORDER =
      Comparator.comparingLong(SegmentName::first)
          .thenComparingLong(SegmentName::last)
          .thenComparingLong(SegmentName::endTicks);

  String text() {
    return "%019d-%019d-%019d-%019d".formatted(first, last, beginTicks, endTicks);
  }

  /** Returns the name in a text; null if it is not one. */
  static @Nullable SegmentName parse(String text) {
    Matcher found = TEXT.matcher(text);
    return found.matches()
        ? new SegmentName(
            Long.parseLong(found.group(1)),
            Long.parseLong(found.group(2)),
            Long.parseLong(found.group(3)),
            Long.parseLong(found.group(4)))
        : null;
  }

  @Override
  public int compareTo(SegmentName other) {
    return ORDER.compare(this, other);
  }
}
