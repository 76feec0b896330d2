package io.lazuli.client.query;

import io.lazuli.client.query.Explanation.Kind;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a Lazuli server executes a query, and what it costs. Immutable. The texts are for people; an
 * explanation that would be longer than 4 KiB has shorter ones, fewer ranges, or none.
 *
 * @param kind how the keys restrict the search
 * @param summary one sentence: what is read; null if it was left out
 * @param partitions the number of partitions that are read; null if it is not known
 * @param ranges the key ranges that are read, at most 20
 * @param moreRanges the number of key ranges that are not in the list
 * @param rest the condition that is checked on each entity; null if the keys decide alone, or if it
 *     was left out
 * @param read the number of entities that are read
 * @param returned the number of entities that match
 * @param bytes the stored bytes that are read; null if they are not known
 * @param time the time that the server took; null before the query ran
 * @param azure what Azure does with the same query
 * @param advice what would be better; null for none
 * @param narrowed a sentence if the credentials allow only some keys, and the explanation therefore
 *     covers only these; null otherwise
 */
public record ServerExplanation(
    Kind kind,
    @Nullable String summary,
    @Nullable Long partitions,
    List<Range> ranges,
    int moreRanges,
    @Nullable String rest,
    Figure read,
    Figure returned,
    @Nullable Long bytes,
    @Nullable Duration time,
    Azure azure,
    @Nullable Advice advice,
    @Nullable String narrowed) {
  /** Copies the list. */
  public ServerExplanation {
    ranges = List.copyOf(ranges);
  }

  /**
   * Returns the explanation in a header of an answer; null if the header is not an explanation.
   *
   * @throws IllegalArgumentException if it is one that this version does not understand
   */
  public static @Nullable ServerExplanation parse(String header) {
    return header.startsWith("{") ? ExplanationParser.parse(header) : null;
  }

  /** Returns the plan in its short form. */
  public ServerPlan plan() {
    long entitiesRead = read.count() == null ? 0 : read.count();
    String text = ExplanationParser.text(kind);
    return new ServerPlan(
        kind == Kind.POINTS ? text + "(" + (ranges.size() + moreRanges) + ")" : text, entitiesRead);
  }

  /**
   * A place in the order of keys.
   *
   * @param rowKey null for the start or the end of the partition
   */
  public record Key(String partitionKey, @Nullable String rowKey) {}

  /**
   * A range of keys.
   *
   * @param from the first key; null for the start of the table
   * @param to the last key; null for the end of the table
   * @param toIncluded whether the range includes the last key
   * @param wholePartition whether the range is exactly one partition
   */
  public record Range(
      @Nullable Key from, @Nullable Key to, boolean toIncluded, boolean wholePartition) {}

  /**
   * A number of entities.
   *
   * @param count null if it is not known
   * @param atLeast a lower bound of a number that is not known; null if there is none
   * @param age the time since the number was found; null if it has no age
   */
  public record Figure(
      @Nullable Long count, @Nullable Long atLeast, Basis basis, @Nullable Duration age) {}

  /** Where a figure comes from. */
  public enum Basis {
    /** The server counted all of them. */
    COUNTED,
    /** The server counted some and extrapolated. */
    SAMPLES,
    /** The keys allow no more than that. */
    BOUND,
    /** The query has run, and this is its number. */
    MEASURED,
    /** There is no number. */
    UNKNOWN
  }

  /**
   * What Azure does with the same query.
   *
   * @param text one sentence; null if it was left out
   */
  public record Azure(Kind kind, @Nullable String text) {}

  /**
   * What would be better.
   *
   * @param key the name of the advice, which does not change: {@code partition.list}
   * @param text some sentences; null if they were left out
   * @param page the page about the pattern, as a path in the repository of Lazuli: {@code
   *     docs/patterns/indexlist.md}; null for none
   * @param code a line of code with this library; null for none
   */
  public record Advice(
      String key, @Nullable String text, @Nullable String page, @Nullable String code) {}
}
