package io.lazuli.server.table.explain;

import io.lazuli.server.table.explain.Explainer.Question;
import io.lazuli.server.table.explain.Explanation.Advice;
import io.lazuli.server.table.explain.Explanation.Figure;
import io.lazuli.server.table.explain.Explanation.Range;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.SystemProperties;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Operator;
import io.lazuli.server.table.query.QueryPlan;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Chooses one advice for a query: the first rule that fits. A probable mistake comes before what is
 * only slow.
 */
final class AdviceRules {
  private static final int SEEKS_FEW = 100;
  private static final int LARGE = 1_000;
  private static final double WASTE = 5;
  private static final double SAME_TYPE = 0.9;

  private static final String LIST_CODE =
      "AsyncListedTable.of(table).listedBy(\"lastname_\", e -> Optional.of(e.lastName()))";
  private static final String INDEX_CODE =
      "AsyncIndexedTable.of(table, \"id_\").indexedBy(\"email_\", e -> Optional.of(e.email()))";
  private static final String COPIES_CODE =
      "AsyncPrimaryTable.of(\"staff\", table, outbox).indexedBy(\"email\", copies, e ->"
          + " e.emailKey())";
  private static final String KEY_CODE =
      "KeyFormat.of(ReviewId.class, literal(\"empid\"), number(6), number(4))";
  private static final String LOOKUP_CODE =
      "AsyncLookup.of(table, Query.partition(\"Contoso\"), Department::name)";
  private static final String PERIOD_CODE =
      "PeriodTables.of(service, \"Logins\", Period.DAY, Login.class, Login::time)";

  private AdviceRules() {}

  static @Nullable Advice choose(Question question, Figure read, Figure returned) {
    Conditions conditions = Conditions.of(question.filter());
    Advice mistake = mistake(question, conditions);
    if (mistake != null) {
      return mistake;
    }
    if (question.contains()) {
      return advice("contains.search", null, null);
    }
    return switch (question.plan().kind()) {
      case NONE -> advice("none.typo", null, null);
      case POINT ->
          question.byAddress()
              ? advice("point.ok", null, null)
              : advice("point.filter", null, null, "table", question.table());
      case SEEKS -> seeks(question.plan().ranges().size());
      case RANGE -> range(question, conditions, read, returned);
      case PARTITION_SCAN -> partition(question, conditions, read, returned);
      case TABLE_SCAN -> table(conditions, read);
    };
  }

  private static Advice advice(
      String key, @Nullable String pattern, @Nullable String code, String... values) {
    return new Advice(key, ExplainTexts.of(key, values), pattern, code);
  }

  /** Finds conditions that probably do not mean what they say. */
  private static @Nullable Advice mistake(Question question, Conditions conditions) {
    Look look = question.look();
    if (look == null || look.types().isEmpty()) {
      return null;
    }
    for (Comparison comparison : conditions.beyondKeys()) {
      if (comparison.property().equals(SystemProperties.TIMESTAMP)) {
        continue;
      }
      Map<EdmType, Long> types = look.types().get(comparison.property());
      if (types == null) {
        return unknown(comparison.property(), look);
      }
      Advice mismatch = mismatch(comparison, types);
      if (mismatch != null) {
        return mismatch;
      }
    }
    String found = look.otherCase();
    List<Comparison> others = conditions.beyondKeys();
    if (found != null && look.matched() == 0 && !others.isEmpty()) {
      return advice(
          "case",
          null,
          null,
          "v",
          FilterText.literal(others.get(0).literal()),
          "found",
          Explainer.quoted(found));
    }
    return null;
  }

  private static Advice unknown(String property, Look look) {
    for (String seen : look.types().keySet()) {
      if (seen.equalsIgnoreCase(property) || isOneApart(seen, property)) {
        return new Advice(
            "unknown",
            ExplainTexts.of("unknown.nearest", "p", property, "nearest", seen),
            null,
            null);
      }
    }
    return advice("unknown", null, null, "p", property);
  }

  /** Returns whether one character was left out, added or exchanged. */
  private static boolean isOneApart(String a, String b) {
    if (Math.abs(a.length() - b.length()) > 1) {
      return false;
    }
    int same = 0;
    while (same < Math.min(a.length(), b.length()) && a.charAt(same) == b.charAt(same)) {
      same++;
    }
    String restA = a.substring(same);
    String restB = b.substring(same);
    return restA.length() == restB.length()
        ? restA
            .substring(Math.min(1, restA.length()))
            .equals(restB.substring(Math.min(1, restB.length())))
        : restA.length() > restB.length()
            ? restA.substring(1).equals(restB)
            : restB.substring(1).equals(restA);
  }

  private static @Nullable Advice mismatch(Comparison comparison, Map<EdmType, Long> types) {
    EdmType literal = comparison.literal().type();
    long all = types.values().stream().mapToLong(Long::longValue).sum();
    for (Map.Entry<EdmType, Long> type : types.entrySet()) {
      double share = (double) type.getValue() / all;
      if (share >= SAME_TYPE && !areComparable(type.getKey(), literal)) {
        return advice(
            "type.mismatch",
            null,
            null,
            "p",
            comparison.property(),
            "stored",
            name(type.getKey()),
            "share",
            Math.round(share * 100) + " %",
            "literal",
            FilterText.literal(comparison.literal()),
            "type",
            name(literal));
      }
    }
    return null;
  }

  private static String name(EdmType type) {
    return type.edmName().substring("Edm.".length());
  }

  private static boolean areComparable(EdmType a, EdmType b) {
    return a == b || (isNumber(a) && isNumber(b));
  }

  private static boolean isNumber(EdmType type) {
    return type == EdmType.INT32 || type == EdmType.INT64 || type == EdmType.DOUBLE;
  }

  private static Advice seeks(int n) {
    return n <= SEEKS_FEW
        ? advice("seeks.few", "key", null)
        : advice("seeks.many", "key", KEY_CODE, "n", Explainer.number(n));
  }

  private static @Nullable Advice range(
      Question question, Conditions conditions, Figure read, Figure returned) {
    Long n = read.n();
    Long m = returned.n();
    List<Comparison> others = conditions.beyondKeys();
    if (n != null && m != null && n > WASTE * Math.max(1, m) && !others.isEmpty()) {
      return advice(
          "range.rest",
          "key",
          KEY_CODE,
          "property",
          others.get(0).property(),
          "n",
          Explainer.number(n));
    }
    if (question.plan().ranges().size() > 1) {
      return null;
    }
    Range range = Explainer.range(question.plan().ranges().get(0));
    boolean openAbove = range.to() == null || range.to().row() == null;
    boolean openBelow = range.from() == null || range.from().row() == null;
    boolean large = n == null || n > LARGE;
    if (large && (openAbove || openBelow)) {
      return advice(
          "range.open",
          "key",
          null,
          "side",
          ExplainTexts.of(openAbove ? "range.open.above" : "range.open.below"));
    }
    Advice prefix = prefix(conditions);
    return prefix == null ? advice("range.ok", null, null) : prefix;
  }

  /** Finds a range that was probably meant to be everything that begins with a text. */
  private static @Nullable Advice prefix(Conditions conditions) {
    String from = null;
    String to = null;
    for (Comparison comparison : conditions.of(SystemProperties.ROW_KEY)) {
      if (comparison.literal() instanceof StringValue text) {
        from = comparison.operator() == Operator.GE ? text.value() : from;
        to = comparison.operator() == Operator.LT ? text.value() : to;
      }
    }
    if (from == null || to == null || from.isEmpty() || !isAlmostNext(from, to)) {
      return null;
    }
    char last = from.charAt(from.length() - 1);
    String next = from.substring(0, from.length() - 1) + (char) (last + 1);
    return to.equals(next)
        ? null
        : advice(
            "range.prefix",
            "key",
            null,
            "x",
            Explainer.quoted(from),
            "next",
            Explainer.quoted(next));
  }

  /** Returns whether the end is the beginning with something high after it, like "x~" or "xz". */
  private static boolean isAlmostNext(String from, String to) {
    return to.startsWith(from) && to.length() > from.length();
  }

  private static @Nullable Advice partition(
      Question question, Conditions conditions, Figure read, Figure returned) {
    Long n = read.n();
    String all = n == null ? ExplainTexts.of("unknown.number") : Explainer.number(n);
    QueryPlan plan = question.plan();
    String pk = Explainer.partition(plan);
    List<Comparison> others = conditions.beyondKeys();
    if (others.isEmpty()) {
      return n != null && n <= LARGE
          ? advice("range.ok", null, null)
          : advice("partition.whole", "key", null, "n", all);
    }
    Comparison first = others.get(0);
    String p = first.property();
    if (p.equals("EntityType") || p.equals("Kind") || p.equals("Type")) {
      return advice("partition.type", "key", KEY_CODE);
    }
    if (Conditions.isOrdered(first)) {
      return advice("partition.range", "intra-partition-index", INDEX_CODE, "p", p);
    }
    if (first.operator() != Operator.EQ) {
      return advice("partition.other", "key", KEY_CODE, "n", all, "pk", pk);
    }
    Long m = returned.n();
    String some = m == null ? ExplainTexts.of("unknown.number") : Explainer.number(m);
    return m != null && m <= 1
        ? advice(
            "partition.unique",
            "intra-partition-index",
            INDEX_CODE,
            "p",
            p,
            "n",
            all,
            "pk",
            pk,
            "m",
            some)
        : advice("partition.list", "indexlist", LIST_CODE, "p", p, "n", all, "pk", pk, "m", some);
  }

  private static Advice table(Conditions conditions, Figure read) {
    Long n = read.n();
    String all = n == null ? ExplainTexts.of("unknown.number") : Explainer.number(n);
    List<Comparison> partitions = conditions.of(SystemProperties.PARTITION_KEY);
    List<Comparison> rows = conditions.of(SystemProperties.ROW_KEY);
    List<Comparison> others = conditions.beyondKeys();
    if (n != null && n <= LARGE) {
      return advice("table.small", "lookup", LOOKUP_CODE, "n", all);
    }
    if (conditions.count() == 0) {
      return advice("table.nofilter", null, null, "n", all);
    }
    if (partitions.stream().anyMatch(each -> each.operator() == Operator.NE)) {
      String v = FilterText.literal(partitions.get(0).literal());
      return advice("table.key.ne", null, null, "v", v);
    }
    if (!partitions.isEmpty()) {
      return advice("table.key.range", "key", null);
    }
    if (!rows.isEmpty()) {
      String rk = FilterText.literal(rows.get(0).literal());
      return advice("table.rowkey", "inter-partition-index", COPIES_CODE, "rk", rk);
    }
    Comparison first = others.isEmpty() ? null : others.get(0);
    if (first != null && first.literal().type() == EdmType.DATE_TIME) {
      return advice("table.date", "period", PERIOD_CODE);
    }
    String property = first == null ? "it" : first.property();
    return advice(
        "table.property", "inter-partition-index", COPIES_CODE, "n", all, "property", property);
  }
}
