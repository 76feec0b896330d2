package io.lazuli.server.table.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.protocol.ODataFilterParser;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Or;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The plans of filters that users write. */
class QueryPlannerTest {
  /** The ten queries of the design guide (mission 6); the last has no filter. */
  @Test
  void queriesOfTheGuideHaveTheirKinds() {
    assertPlan("(PartitionKey eq 'Sales') and (RowKey eq '2')", "point", "Sales/2");
    assertPlan(
        "PartitionKey eq 'Sales' and RowKey ge 'S' and RowKey lt 'T'", "range", "Sales/S..Sales/T");
    assertPlan("PartitionKey eq 'Sales' and LastName eq 'Smith'", "partition scan", "Sales/*");
    assertPlan("LastName eq 'Jones'", "table scan", "*");
    assertPlan(
        "PartitionKey eq 'Sales' and (RowKey eq '121' or RowKey eq '322')",
        "seeks(2)",
        "Sales/121 Sales/322");
    assertPlan(
        "(PartitionKey eq 'Sales') and (RowKey ge 'empid_000100') and (RowKey le 'empid_000199')",
        "range",
        "Sales/empid_000100..Sales/empid_000199+");
    assertPlan(
        "(PartitionKey eq 'Sales') and (RowKey ge 'email_a') and (RowKey lt 'email_b')",
        "range",
        "Sales/email_a..Sales/email_b");
    assertPlan(
        "(PartitionKey eq 'empid_Sales') and (RowKey eq '000223')", "point", "empid_Sales/000223");
    assertPlan(
        "(PartitionKey eq 'Sales') and (RowKey ge 'empid_000123') and (RowKey lt 'empid_000124')",
        "range",
        "Sales/empid_000123..Sales/empid_000124");
    assertPlan("", "table scan", "*");
  }

  @Test
  void keyConditionsBecomeRanges() {
    assertPlan("PartitionKey eq 'a'", "partition scan", "a/*");
    assertPlan("PartitionKey eq 'a' and RowKey gt 'r'", "range", "a/r+..a+/");
    assertPlan("PartitionKey eq 'a' and RowKey le 'r'", "range", "a/..a/r+");
    assertPlan("PartitionKey eq 'a' and RowKey ge ''", "partition scan", "a/*");
    assertPlan("PartitionKey eq 'a' and RowKey ne 'r'", "partition scan", "a/..a/r a/r+..a+/");
    assertPlan("PartitionKey gt 'a'", "table scan", "a+/..");
    assertPlan("PartitionKey ge 'a' and PartitionKey lt 'b'", "table scan", "a/..b/");
    assertPlan("PartitionKey ge 'a' and PartitionKey le 'a'", "partition scan", "a/*");
    assertPlan("PartitionKey eq '' and RowKey eq ''", "point", "/");
    assertPlan("RowKey eq 'r'", "table scan", "*");
  }

  @Test
  void orBecomesSeveralRanges() {
    assertPlan("PartitionKey eq 'b' or PartitionKey eq 'a'", "partition scan", "a/* b/*");
    assertPlan(
        "(PartitionKey eq 'a' or PartitionKey eq 'b') and (RowKey eq '1' or RowKey eq '2')",
        "seeks(4)",
        "a/1 a/2 b/1 b/2");
    assertPlan(
        "PartitionKey eq 'a' and (RowKey eq '1' or RowKey gt '5' and RowKey lt '7')",
        "range",
        "a/1 a/5+..a/7");
    assertPlan(
        "PartitionKey eq 'a' and RowKey eq '1' or PartitionKey eq 'b' and RowKey lt '2'",
        "range",
        "a/1 b/..b/2");
  }

  /** Clients page by hand in this way. */
  @Test
  void rangesThatTouchAreOne() {
    assertPlan(
        "PartitionKey gt 'a' or (PartitionKey eq 'a' and RowKey gt 'r')", "table scan", "a/r+..");
    assertPlan("PartitionKey le 'a' or PartitionKey gt 'a'", "table scan", "*");
    assertPlan("PartitionKey eq 'a' and (RowKey lt 'm' or RowKey ge 'm')", "partition scan", "a/*");
  }

  @Test
  void aContradictionReadsNothing() {
    assertPlan("PartitionKey eq 'a' and PartitionKey eq 'b'", "none", "");
    assertPlan("PartitionKey eq 'a' and RowKey gt 'r' and RowKey lt 'r'", "none", "");
    assertPlan("RowKey lt ''", "none", "");
    assertPlan("false", "none", "");
    assertPlan("A eq 1 and 1 eq 2", "none", "");
    assertPlan("not (RowKey ge '')", "none", "");
  }

  @Test
  void notTurnsKeyConditionsRound() {
    assertPlan("not (PartitionKey ne 'a')", "partition scan", "a/*");
    assertPlan("not (PartitionKey ne 'a' or RowKey ne 'r')", "point", "a/r");
    assertPlan("not (not (PartitionKey eq 'a'))", "partition scan", "a/*");
    assertPlan("PartitionKey eq 'a' and not (RowKey lt 'c' or RowKey ge 'd')", "range", "a/c..a/d");
  }

  @Test
  void theFilterOmitsWhatTheRangesGuarantee() {
    assertThat(plan("PartitionKey eq 'a' and RowKey ge 'r'").residual()).isEqualTo(Filter.ALL);
    assertThat(plan("PartitionKey eq 'a' or RowKey eq 'r'").residual()).isEqualTo(Filter.ALL);
    assertThat(plan("PartitionKey eq 'a' and A eq 1").residual())
        .isEqualTo(ODataFilterParser.parse("A eq 1"));
    assertThat(plan("PartitionKey eq 'a' and not (A eq 1)").residual())
        .isEqualTo(ODataFilterParser.parse("not (A eq 1)"));
    assertThat(plan("(PartitionKey eq 'a' and A eq 1) or (PartitionKey eq 'a' and B)").residual())
        .isEqualTo(ODataFilterParser.parse("A eq 1 or B"));
    assertThat(plan("PartitionKey eq 'a' and (true or A eq 1)").residual()).isEqualTo(Filter.ALL);
    assertThat(plan("PartitionKey eq 'a' and (RowKey eq 'r' or A eq 1)").residual())
        .isEqualTo(ODataFilterParser.parse("RowKey eq 'r' or A eq 1"));
  }

  /** The order of UTF-16 puts U+1F600, a pair of surrogates, below U+E000. */
  @Test
  void rangesFollowTheOrderOfUtf16() {
    assertPlan(
        "PartitionKey eq 'a' and RowKey ge '😀' and RowKey lt '\ue000'", "range", "a/😀..a/\ue000");
    assertPlan("PartitionKey eq 'a' and RowKey gt '\ue000' and RowKey lt '😀'", "none", "");
  }

  @Test
  void aTokenCutsTheRangesAndKeepsTheKind() {
    QueryPlan plan = plan("PartitionKey eq 'a' and (RowKey eq '1' or RowKey eq '3')");
    QueryPlan rest = plan.from(position("a", "2"));
    assertThat(rest.text()).isEqualTo("seeks(2)");
    assertThat(ranges(rest)).isEqualTo("a/3");
    assertThat(ranges(plan.from(position("", "")))).isEqualTo("a/1 a/3");
    assertThat(ranges(plan.from(position("b", "")))).isEmpty();
    assertThat(ranges(plan("PartitionKey ge 'b'").from(position("b", "x")))).isEqualTo("b/x..");
  }

  @Test
  void aKeyRangeOfASignatureNarrowsThePlan() {
    KeyRange range = new KeyRange(position("a", "1"), position("a", "5").successor());
    assertThat(plan("").within(range).text()).isEqualTo("range");
    assertThat(ranges(plan("").within(range))).isEqualTo("a/1..a/5+");
    assertThat(plan("RowKey eq '3'").within(range).text()).isEqualTo("point");
    assertThat(ranges(plan("RowKey eq '3'").within(range))).isEqualTo("a/3");
    assertThat(plan("RowKey eq '7'").within(range).text()).isEqualTo("none");
    assertThat(plan("PartitionKey eq 'b'").within(range).ranges()).isEmpty();
  }

  @Test
  void tooManyRangesBecomeACoveringOneWithTheWholeFilter() {
    String partitions = anyOf("PartitionKey eq 'p%04d'", 40);
    String rows = anyOf("RowKey eq 'r%04d'", 40);
    QueryPlan plan = plan("(" + partitions + ") and (" + rows + ")");
    assertThat(plan.ranges()).hasSize(40);
    assertThat(plan.text()).isEqualTo("range");
    assertThat(ranges(plan)).startsWith("p0000/r0000..p0000/r0039+ p0001/r0000..");
    assertThat(plan.residual()).isNotEqualTo(Filter.ALL);

    QueryPlan thousand = plan(anyOf("RowKey ne 'r%04d' and PartitionKey eq 'p%1$04d'", 500));
    assertThat(thousand.ranges()).hasSize(1_000);
    assertThat(thousand.residual()).isEqualTo(Filter.ALL);

    Filter many = new Or(IntStream.range(0, 1_500).mapToObj(QueryPlannerTest::partition).toList());
    assertThat(ranges(QueryPlanner.plan(many))).isEqualTo("p00000/..p01499+/");
    assertThat(QueryPlanner.plan(many).residual()).isEqualTo(many);
  }

  /** Disjunctive form would have 2^500 terms here. */
  @Test
  void aThousandComparisonsArePlannedInMilliseconds() {
    String product =
        IntStream.range(0, 500)
            .mapToObj("(PartitionKey ne 'p%1$03d' or RowKey ne 'r%1$03d')"::formatted)
            .collect(Collectors.joining(" and "));
    String crossed =
        IntStream.range(0, 500)
            .mapToObj("(PartitionKey gt 'p%1$03d' or RowKey lt 'r%1$03d')"::formatted)
            .collect(Collectors.joining(" and "));
    String grid =
        "(%s) and (%s)"
            .formatted(anyOf("PartitionKey eq 'p%04d'", 500), anyOf("RowKey eq 'r%04d'", 500));
    for (String text : List.of(product, crossed, grid, anyOf("RowKey eq '%d'", 1_000))) {
      Filter filter = ODataFilterParser.parse(text);
      QueryPlan plan =
          assertTimeoutPreemptively(Duration.ofSeconds(30), () -> QueryPlanner.plan(filter));
      KeyRange.requireSortedAndDisjoint(plan.ranges());
      assertThat(plan.ranges()).hasSizeBetween(1, QueryPlanner.RANGES_MAX);
    }
  }

  @Test
  void adviceSaysWhatAzureWouldDo() {
    assertThat(plan("PartitionKey eq 'a' and (RowKey eq '1' or RowKey eq '2')").advice().get())
        .startsWith("On Azure this is a partition scan");
    assertThat(
            plan("RowKey eq '1' and (PartitionKey eq 'a' or PartitionKey eq 'b')").advice().get())
        .startsWith("On Azure this is a table scan");
    assertThat(plan("A eq 1").advice().get()).contains("very inefficient");
    assertThat(plan("PartitionKey eq 'a' and RowKey eq 'b'").advice()).isEmpty();
  }

  private static String anyOf(String form, int count) {
    return IntStream.range(0, count).mapToObj(form::formatted).collect(Collectors.joining(" or "));
  }

  private static Filter partition(int number) {
    StringValue key = new StringValue("p%05d".formatted(number));
    return new Comparison("PartitionKey", Operator.EQ, key);
  }

  private static Position position(String partitionKey, String rowKey) {
    return new TestEntity(partitionKey, rowKey, 0, List.of()).position();
  }

  private static void assertPlan(String filter, String kind, String ranges) {
    QueryPlan plan = plan(filter);
    assertThat(plan.text()).as(filter).isEqualTo(kind);
    assertThat(ranges(plan)).as(filter).isEqualTo(ranges);
  }

  private static QueryPlan plan(String filter) {
    return QueryPlanner.plan(ODataFilterParser.parse(filter));
  }

  private static String ranges(QueryPlan plan) {
    KeyRange.requireSortedAndDisjoint(plan.ranges());
    return plan.ranges().stream().map(QueryPlannerTest::text).collect(Collectors.joining(" "));
  }

  private static String text(KeyRange range) {
    if (range.equals(KeyRange.ALL)) {
      return "*";
    }
    if (range.from().successor().equals(range.to())) {
      return text(range.from());
    }
    if (range.equals(KeyRange.ofPartition(range.from().partition()))) {
      return text(range.from()) + "*";
    }
    return text(range.from()) + ".." + (range.to() == null ? "" : text(range.to()));
  }

  private static String text(Position position) {
    return text(position.partition()) + "/" + text(position.row());
  }

  private static String text(Bytes bytes) {
    return Utf8.decode(bytes.array(), 0, bytes.length()).replace('\0', '+');
  }
}
