package io.lazuli.server.table.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An explained query. docs/console-api.md describes the fields.
 *
 * @param partitions the number of partitions that are read; null if it is not known
 * @param ranges the first key ranges; {@code moreRanges} says how many follow
 * @param rest what is checked on each entity; null if the keys decide
 * @param bytes the stored bytes that are read; null if they are not known
 * @param millis the time that the server took; null before the query ran
 */
public record Explanation(
    String kind,
    String headline,
    String line,
    @Nullable Long partitions,
    List<Range> ranges,
    int moreRanges,
    @Nullable String rest,
    String restText,
    Figure read,
    Figure returned,
    String readText,
    String basisText,
    @Nullable Long bytes,
    @Nullable Double millis,
    Azure azure,
    @Nullable Advice advice,
    @Nullable String narrowed) {
  public Explanation {
    ranges = List.copyOf(ranges);
  }

  /**
   * A key.
   *
   * @param row null for the start or the end of the partition
   */
  public record Key(String partition, @Nullable String row) {}

  /**
   * A range of keys.
   *
   * @param from null for the start of the table
   * @param to null for the end of the table
   * @param whole true for all of one partition
   */
  public record Range(@Nullable Key from, @Nullable Key to, boolean toIncluded, boolean whole) {}

  /**
   * A number of entities.
   *
   * @param n null if it is not known
   * @param atLeast a lower bound if it is not known; null if there is none
   * @param ageSeconds how old the figure is; null if it has no age
   */
  public record Figure(
      @Nullable Long n, @Nullable Long atLeast, Basis basis, @Nullable Long ageSeconds) {}

  /** Where a figure comes from. */
  public enum Basis {
    COUNTED("counted"),
    SAMPLES("samples"),
    BOUND("bound"),
    MEASURED("measured"),
    UNKNOWN("unknown");

    private final String text;

    Basis(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** What Azure does with the same filter. */
  public record Azure(String kind, String key, String text) {}

  /**
   * What would be better.
   *
   * @param pattern the name of a page of docs/patterns; null for none
   * @param code a line of code; null for none
   */
  public record Advice(String key, String text, @Nullable String pattern, @Nullable String code) {}
}
