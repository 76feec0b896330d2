package io.lazuli.server.table.explain;

import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.explain.Explanation.Azure;
import io.lazuli.server.table.explain.Explanation.Basis;
import io.lazuli.server.table.explain.Explanation.Figure;
import io.lazuli.server.table.explain.Explanation.Range;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.query.QueryPlan;
import io.lazuli.server.table.query.QueryPlan.Kind;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Explains a query from its plan and from what is known about the table. Reads nothing itself. */
public final class Explainer {
  /** The maximum number of ranges that an explanation lists. */
  static final int RANGES_MAX = 20;

  /** The maximum number of comparisons in a filter on Azure (table-rest 7.3). */
  private static final int AZURE_COMPARISONS_MAX = 15;

  private Explainer() {}

  /**
   * A query to explain.
   *
   * @param table the name of the table
   * @param byAddress true if the request names both keys in its path
   * @param contains true if the console also looks for a text in each entity
   * @param narrowed true if the caller may see only a part of the table
   * @param look what was seen of the query's entities; null if nothing was read
   * @param measured true if the look is a page of the query itself
   * @param millis how long the page took; null if none was read
   * @param size the size of the one partition, or of the table, that the query reads; null if it is
   *     not known
   */
  public record Question(
      String table,
      Filter filter,
      QueryPlan plan,
      boolean byAddress,
      boolean contains,
      boolean narrowed,
      @Nullable Look look,
      boolean measured,
      @Nullable Double millis,
      TableSizes.@Nullable Size size) {}

  /** Explains a query. */
  public static Explanation explain(Question question) {
    QueryPlan plan = question.plan;
    List<KeyRange> ranges = plan.ranges();
    Figure read = read(question);
    Figure returned = returned(question, read);
    String rest = rest(question);
    return new Explanation(
        plan.kind().text(),
        headline(plan),
        line(plan),
        partitions(question),
        ranges.stream().limit(RANGES_MAX).map(Explainer::range).toList(),
        Math.max(0, ranges.size() - RANGES_MAX),
        rest,
        rest == null ? ExplainTexts.of("rest.none") : ExplainTexts.of("rest", "predicate", rest),
        read,
        returned,
        readText(read, returned, question.measured),
        basisText(read, returned),
        bytes(question, read),
        question.millis,
        azure(question),
        AdviceRules.choose(question, read, returned),
        question.narrowed ? ExplainTexts.of("narrowed") : null);
  }

  private static @Nullable String rest(Question question) {
    QueryPlan plan = question.plan;
    if (plan.kind() == Kind.NONE) {
      return null;
    }
    if (!plan.residual().equals(Filter.ALL)) {
      return FilterText.of(plan.residual());
    }
    return plan.skipsRows() ? FilterText.of(question.filter) : null;
  }

  private static Figure read(Question question) {
    QueryPlan plan = question.plan;
    Look look = question.look;
    if (question.measured && look != null) {
      return new Figure(look.readCount(), null, Basis.MEASURED, 0L);
    }
    if (plan.kind() == Kind.NONE) {
      return new Figure(0L, null, Basis.BOUND, null);
    }
    if (look != null && look.hasEnded()) {
      return new Figure(look.readCount(), null, Basis.COUNTED, 0L);
    }
    if (plan.kind() == Kind.POINT || plan.kind() == Kind.SEEKS) {
      return new Figure((long) plan.ranges().size(), null, Basis.BOUND, null);
    }
    TableSizes.Size size = question.size;
    if (size != null && (look == null || size.entities() >= look.readCount())) {
      boolean whole = plan.kind() != Kind.RANGE;
      return new Figure(
          size.entities(), null, whole ? Basis.COUNTED : Basis.BOUND, size.ageSeconds());
    }
    return new Figure(null, look == null ? null : look.readCount(), Basis.UNKNOWN, null);
  }

  private static Figure returned(Question question, Figure read) {
    Look look = question.look;
    Long n = read.n();
    if (n == null) {
      return new Figure(null, null, Basis.UNKNOWN, null);
    }
    if (look != null && (question.measured || look.hasEnded())) {
      return new Figure(look.matched(), null, read.basis(), 0L);
    }
    boolean keysDecide = question.plan.residual().equals(Filter.ALL) && !question.plan.skipsRows();
    if (keysDecide && !question.contains) {
      return read;
    }
    if (look == null || look.readCount() == 0) {
      return new Figure(null, null, Basis.UNKNOWN, null);
    }
    return new Figure(
        Math.round((double) n * look.matched() / look.readCount()), null, Basis.SAMPLES, 0L);
  }

  private static @Nullable Long bytes(Question question, Figure read) {
    Look look = question.look;
    Long n = read.n();
    if (n == null) {
      return null;
    }
    if (look != null && look.readCount() > 0 && look.bytes() > 0) {
      return Math.round((double) look.bytes() * n / look.readCount());
    }
    TableSizes.Size size = question.size;
    return size != null && size.bytes() >= 0 && size.entities() == n
        ? Long.valueOf(size.bytes())
        : n == 0 ? Long.valueOf(0) : null;
  }

  private static String readText(Figure read, Figure returned, boolean measured) {
    Long n = read.n();
    Long m = returned.n();
    if (measured && n != null && m != null) {
      String text = ExplainTexts.of("read.measured", "n", number(n), "m", number(m));
      return n.equals(m) && n > 0
          ? text + " " + ExplainTexts.of("read.all.used")
          : m > 0
              ? text + " " + ExplainTexts.of("read.waste", "n", number(Math.round((double) n / m)))
              : text;
    }
    if (n == null) {
      Long least = read.atLeast();
      return least == null
          ? ExplainTexts.of("read.unknown")
          : ExplainTexts.of("read.more", "n", number(least));
    }
    return m == null
        ? ExplainTexts.of("read.returned.unknown", "n", number(n))
        : ExplainTexts.of("read.estimate", "n", number(n), "m", number(m));
  }

  private static String basisText(Figure read, Figure returned) {
    Long age = read.ageSeconds();
    if (returned.basis() == Basis.SAMPLES) {
      return ExplainTexts.of("basis.samples");
    }
    return switch (read.basis()) {
      case COUNTED ->
          age == null || age == 0
              ? ExplainTexts.of("basis.counted")
              : ExplainTexts.of("basis.counted.before", "age", number(age));
      case SAMPLES -> ExplainTexts.of("basis.samples");
      case BOUND -> ExplainTexts.of("basis.bound");
      case MEASURED -> ExplainTexts.of("basis.measured");
      case UNKNOWN -> ExplainTexts.of("basis.unknown");
    };
  }

  private static @Nullable Long partitions(Question question) {
    if (question.plan.kind() != Kind.TABLE_SCAN) {
      return partitionCount(question.plan);
    }
    Look look = question.look;
    return look != null && look.hasEnded() && !question.measured
        ? Long.valueOf(look.partitions())
        : null;
  }

  private static long partitionCount(QueryPlan plan) {
    return plan.ranges().stream().map(range -> range.from().partition()).distinct().count();
  }

  private static String headline(QueryPlan plan) {
    String n = number(plan.ranges().size());
    long partitions = partitionCount(plan);
    return switch (plan.kind()) {
      case NONE -> ExplainTexts.of("kind.none");
      case POINT -> ExplainTexts.of("kind.point");
      case SEEKS -> ExplainTexts.of("kind.seeks", "n", n);
      case RANGE ->
          plan.ranges().size() == 1
              ? ExplainTexts.of("kind.range")
              : ExplainTexts.of("kind.ranges", "n", n);
      case PARTITION_SCAN ->
          partitions == 1
              ? ExplainTexts.of("kind.partition")
              : ExplainTexts.of("kind.partitions", "n", number(partitions));
      case TABLE_SCAN -> ExplainTexts.of("kind.table");
    };
  }

  private static String line(QueryPlan plan) {
    List<KeyRange> ranges = plan.ranges();
    String n = number(ranges.size());
    long partitions = partitionCount(plan);
    return switch (plan.kind()) {
      case NONE -> ExplainTexts.of("kind.none.line");
      case POINT -> ExplainTexts.of("kind.point.line");
      case SEEKS -> ExplainTexts.of("kind.seeks.line", "n", n);
      case RANGE ->
          ranges.size() == 1
              ? ends("kind.range.line", range(ranges.get(0)), false)
              : ExplainTexts.of("kind.ranges.line", "n", n, "p", number(partitions));
      case PARTITION_SCAN ->
          partitions == 1
              ? ExplainTexts.of("kind.partition.line", "pk", quoted(ranges.get(0).from()))
              : ExplainTexts.of("kind.partitions.line", "n", number(partitions));
      case TABLE_SCAN -> {
        KeyRange last = ranges.get(ranges.size() - 1);
        yield ends("kind.table.line", range(new KeyRange(ranges.get(0).from(), last.to())), true);
      }
    };
  }

  private static String ends(String text, Range range, boolean partitions) {
    Explanation.Key from = range.from();
    Explanation.Key to = range.to();
    String first = from == null ? null : partitions ? from.partition() : from.row();
    String last = to == null ? null : partitions ? to.partition() : to.row();
    return ExplainTexts.of(
        text,
        "from",
        first == null ? "the first" : quoted(first),
        "to",
        last == null ? "the last" : quoted(last));
  }

  private static Azure azure(Question question) {
    QueryPlan plan = question.plan;
    int comparisons = Conditions.of(question.filter).count();
    if (comparisons > AZURE_COMPARISONS_MAX) {
      return azure(Kind.NONE, "azure.refused", "n", number(comparisons));
    }
    boolean several = partitionCount(plan) > 1;
    return switch (plan.kind()) {
      case NONE, POINT -> azure(plan.kind(), "azure.same");
      case SEEKS ->
          several
              ? azure(Kind.TABLE_SCAN, "azure.or.partitions")
              : azure(Kind.PARTITION_SCAN, "azure.or.rows");
      case RANGE ->
          several
              ? azure(Kind.TABLE_SCAN, "azure.or.partitions")
              : plan.ranges().size() > 1
                  ? azure(Kind.RANGE, "azure.ranges")
                  : azure(Kind.RANGE, "azure.same");
      case PARTITION_SCAN ->
          several
              ? azure(Kind.TABLE_SCAN, "azure.or.partitions")
              : azure(Kind.PARTITION_SCAN, "azure.same");
      case TABLE_SCAN -> azure(Kind.TABLE_SCAN, "azure.pages");
    };
  }

  private static Azure azure(Kind kind, String key, String... values) {
    return new Azure(kind.text(), key, ExplainTexts.of(key, values));
  }

  /** Returns a range as it is shown. */
  static Range range(KeyRange range) {
    Position from = range.from();
    Position to = range.to();
    Bytes partition = from.partition();
    boolean start = from.equals(Position.START);
    Explanation.Key first =
        start && to == null ? null : key(partition, from.row().length() == 0, from.row());
    if (to == null) {
      return new Range(first, null, false, false);
    }
    if (to.equals(Position.endOf(partition))) {
      return new Range(first, key(partition, true, to.row()), true, from.row().length() == 0);
    }
    if (to.row().length() == 0) {
      Bytes before = predecessor(to.partition());
      Bytes last = before == null ? to.partition() : before;
      return new Range(first, key(last, true, to.row()), before != null, false);
    }
    Bytes before = predecessor(to.row());
    return new Range(
        first,
        key(to.partition(), false, before == null ? to.row() : before),
        before != null,
        false);
  }

  /** Returns the key directly before one that ends with a zero; null for any other key. */
  private static @Nullable Bytes predecessor(Bytes key) {
    int last = key.length() - 1;
    return last >= 0 && key.array()[last] == 0 ? Bytes.of(Arrays.copyOf(key.array(), last)) : null;
  }

  private static Explanation.Key key(Bytes partition, boolean open, Bytes row) {
    return new Explanation.Key(text(partition), open ? null : text(row));
  }

  static String text(Bytes key) {
    return Utf8.decode(key.array(), 0, key.length());
  }

  private static String quoted(Position at) {
    return quoted(text(at.partition()));
  }

  /** Returns a key or value in typographic quotes, so that it stands out in a sentence. */
  static String quoted(String text) {
    return "\u2018" + (text.length() <= 64 ? text : text.substring(0, 64) + "\u2026") + "\u2019";
  }

  static String number(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  /** Returns the partition that a query reads alone, as it is shown. */
  static String partition(QueryPlan plan) {
    return quoted(Objects.requireNonNull(plan.ranges().get(0)).from());
  }
}
