package io.lazuli.server.table.query;

import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.SystemProperties;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Constant;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import io.lazuli.storage.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Turns a filter into the key ranges to read and a residual filter for the records in them.
 *
 * <p><b>Splitting.</b> Every part <i>f</i> of the tree is split into a set of keys <i>K</i> and a
 * residual filter <i>r</i>, such that <i>f</i> holds exactly if the key is in <i>K</i> and <i>r</i>
 * holds. For a condition on a key, <i>K</i> is the set of matching keys and <i>r</i> is true. For a
 * condition on another property, <i>K</i> is all keys and <i>r</i> is the condition itself. For
 * {@code and}, the sets are intersected and the residuals are joined. For {@code or}, the sets are
 * united. The residual is true if the operands without a residual already cover the union; it is
 * the {@code or} of the residuals if all sets are the same; otherwise it is the {@code or} itself.
 * The tree is never expanded to disjunctive normal form, so the work is a few passes over sorted
 * lists.
 *
 * <p><b>Negation</b> is first pushed down to the leaves. A negated condition on a key becomes the
 * opposite operator. That is exact, because every entity has both keys, and they are strings. A
 * negated condition on another property stays negated, because a missing property makes every
 * comparison false.
 *
 * <p><b>Bounds.</b> A set that grows too large is widened ({@link KeySet}), and the residual of
 * that part is then the part itself. A plan has at most {@link #RANGES_MAX} ranges.
 */
public final class QueryPlanner {
  public static final int RANGES_MAX = 1_000;

  /** A part of the tree, with its keys and its residual. */
  private record Split(Filter whole, KeySet keys, Filter residual) {
    static Split of(Filter whole, KeySet keys, Filter residual) {
      return new Split(whole, keys.unmarked(), keys.isWidened() ? whole : residual);
    }
  }

  private QueryPlanner() {}

  public static QueryPlan plan(Filter filter) {
    Split split = split(pushDown(filter, false));
    List<ScanRange> scanRanges = split.keys.scanRanges();
    if (scanRanges.size() <= RANGES_MAX) {
      return QueryPlan.of(scanRanges, split.residual);
    }
    List<ScanRange> wider = split.keys.withRowHulls().scanRanges();
    return QueryPlan.of(
        wider.size() <= RANGES_MAX ? wider : split.keys.partitionHull().scanRanges(), split.whole);
  }

  private static Filter pushDown(Filter filter, boolean negate) {
    if (filter instanceof And and) {
      List<Filter> operands = pushDown(and.operands(), negate);
      return negate ? new Or(operands) : new And(operands);
    } else if (filter instanceof Or or) {
      List<Filter> operands = pushDown(or.operands(), negate);
      return negate ? new And(operands) : new Or(operands);
    } else if (filter instanceof Not not) {
      return pushDown(not.operand(), !negate);
    } else if (filter instanceof Constant constant) {
      return new Constant(constant.value() != negate);
    } else if (filter instanceof Comparison comparison
        && SystemProperties.isKey(comparison.property())) {
      return keyComparison(comparison, negate);
    }
    return negate ? new Not(filter) : filter;
  }

  private static List<Filter> pushDown(List<Filter> operands, boolean negate) {
    return operands.stream().map(operand -> pushDown(operand, negate)).toList();
  }

  private static Filter keyComparison(Comparison filter, boolean negate) {
    Operator operator = filter.operator();
    if (!(filter.literal() instanceof StringValue)) {
      return new Constant(operator.holdsOnMismatch() != negate);
    }
    return negate
        ? new Comparison(filter.property(), operator.negated(), filter.literal())
        : filter;
  }

  private static Split split(Filter filter) {
    if (filter instanceof And and) {
      return splitAnd(and);
    } else if (filter instanceof Or or) {
      return splitOr(or);
    } else if (filter instanceof Constant constant) {
      return new Split(filter, constant.value() ? KeySet.ALL : KeySet.NONE, Filter.ALL);
    } else if (filter instanceof Comparison comparison
        && SystemProperties.isKey(comparison.property())) {
      return new Split(filter, keys(comparison), Filter.ALL);
    }
    return new Split(filter, KeySet.ALL, filter);
  }

  private static KeySet keys(Comparison comparison) {
    String literal = ((StringValue) comparison.literal()).value();
    KeyIntervals keys = KeyIntervals.of(comparison.operator(), Bytes.of(Utf8.encodeKey(literal)));
    return comparison.property().equals(SystemProperties.PARTITION_KEY)
        ? KeySet.ofPartitions(keys)
        : KeySet.ofRows(keys);
  }

  private static Split splitAnd(And filter) {
    List<Split> operands = filter.operands().stream().map(QueryPlanner::split).toList();
    KeySet keys = combine(operands, KeySet.ALL, KeySet::intersection);
    return Split.of(filter, keys, Filter.and(operands.stream().map(Split::residual).toList()));
  }

  private static Split splitOr(Or filter) {
    List<Split> operands =
        filter.operands().stream()
            .map(QueryPlanner::split)
            .filter(operand -> !operand.keys.isEmpty())
            .toList();
    KeySet keys = combine(operands, KeySet.NONE, KeySet::union);
    return Split.of(filter, keys, residualOfOr(operands, keys));
  }

  private static Filter residualOfOr(List<Split> operands, KeySet keys) {
    List<Split> exact =
        operands.stream().filter(operand -> operand.residual.equals(Filter.ALL)).toList();
    if (combine(exact, KeySet.NONE, KeySet::union).sameKeys(keys)) {
      return Filter.ALL;
    }
    boolean same = operands.stream().allMatch(operand -> operand.keys.sameKeys(keys));
    return Filter.or(operands.stream().map(same ? Split::residual : Split::whole).toList());
  }

  /** Combines sets in pairs, small ones first, so that n sets cost n log n and not n². */
  private static KeySet combine(
      List<Split> operands, KeySet neutral, BinaryOperator<KeySet> operation) {
    List<KeySet> sets =
        operands.stream().map(Split::keys).sorted(Comparator.comparingInt(KeySet::size)).toList();
    while (sets.size() > 1) {
      List<KeySet> pairs = new ArrayList<>();
      for (int i = 0; i + 1 < sets.size(); i += 2) {
        pairs.add(operation.apply(sets.get(i), sets.get(i + 1)));
      }
      if (sets.size() % 2 == 1) {
        pairs.add(sets.get(sets.size() - 1));
      }
      sets = pairs;
    }
    return sets.isEmpty() ? neutral : sets.get(0);
  }
}
