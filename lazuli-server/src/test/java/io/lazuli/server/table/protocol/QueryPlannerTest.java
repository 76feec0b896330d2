package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.query.QueryPlan;
import io.lazuli.server.table.query.QueryPlanner;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the planner makes of filters as users write them. */
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
