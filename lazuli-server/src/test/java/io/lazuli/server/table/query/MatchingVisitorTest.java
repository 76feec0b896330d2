package io.lazuli.server.table.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.protocol.ODataFilterParser;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The number of records that a plan reads. */
class MatchingVisitorTest {
  private final List<TestEntity> entities = new ArrayList<>();
  private int matches;

  @Test
  void aRowKeyAloneSkipsOverLargePartitions() {
    fill(20, 500);
    assertThat(examined("RowKey eq 'r0250'"))
        .isLessThan(20 * 2 * (MatchingVisitor.USELESS_MAX + 2));
    assertThat(matches).isEqualTo(20);
  }

  @Test
  void smallPartitionsAreReadThrough() {
    fill(500, 4);
    assertThat(examined("RowKey eq 'r0001'")).isGreaterThan(1_900);
    assertThat(matches).isEqualTo(500);
  }

  @Test
  void rowsOfSeveralRangesAreAllFound() {
    fill(10, 500);
    long examined = examined("RowKey lt 'r0002' or RowKey ge 'r0300' and RowKey lt 'r0303'");
    assertThat(matches).isEqualTo(10 * 5);
    assertThat(examined).isLessThan(10 * 100);
  }

  @Test
  void aRangeReadsOnlyItself() {
    fill(3, 500);
    assertThat(examined("PartitionKey eq 'p0001' and RowKey ge 'r0010' and RowKey lt 'r0020'"))
        .isEqualTo(10);
    assertThat(examined("PartitionKey eq 'p0001' and (RowKey eq 'r0010' or RowKey eq 'r0400')"))
        .isEqualTo(2);
    assertThat(matches).isEqualTo(12);
  }

  @Test
  void onlyRecordsThatMatchAreHandedOn() {
    fill(2, 10);
    assertThat(examined("PartitionKey eq 'p0001' and Number ge 7")).isEqualTo(10);
    assertThat(matches).isEqualTo(3);
  }

  @Test
  void theReceiverOfMatchesEndsTheScan() {
    fill(1, 100);
    QueryPlan plan = QueryPlanner.plan(Filter.ALL);
    MatchingVisitor visitor =
        new MatchingVisitor(plan, record -> ++matches < 7 ? Visit.CONTINUE : Visit.STOP);
    new RecordScan(entities).scan(plan.ranges(), visitor);
    assertThat(visitor.examined()).isEqualTo(7);
  }

  private long examined(String filter) {
    QueryPlan plan = QueryPlanner.plan(ODataFilterParser.parse(filter));
    MatchingVisitor visitor =
        new MatchingVisitor(
            plan,
            record -> {
              matches++;
              return Visit.CONTINUE;
            });
    new RecordScan(entities).scan(plan.ranges(), visitor);
    return visitor.examined();
  }

  private void fill(int partitions, int rows) {
    for (int partition = 0; partition < partitions; partition++) {
      for (int row = 0; row < rows; row++) {
        List<Property> properties = List.of(new Property("Number", new Int32Value(row)));
        entities.add(
            new TestEntity("p%04d".formatted(partition), "r%04d".formatted(row), 0, properties));
      }
    }
  }
}
