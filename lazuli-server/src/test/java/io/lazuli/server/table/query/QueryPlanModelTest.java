package io.lazuli.server.table.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.query.Filter.And;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.Filter.Not;
import io.lazuli.server.table.query.Filter.Or;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.Visit;
import io.lazuli.storage.fuzz.Fuzz;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares plans with the oracle: a scan of the plan finds exactly the entities that match. */
class QueryPlanModelTest {
  @Test
  void aPlanFindsExactlyTheEntitiesThatMatch() {
    Fuzz.run(400, Random::nextLong, QueryPlanModelTest::aPlanFindsExactlyTheEntitiesThatMatch);
  }

  private static void aPlanFindsExactlyTheEntitiesThatMatch(long seed) {
    RandomQueries random = new RandomQueries(seed);
    RecordScan table = new RecordScan(Stream.generate(random::entity).limit(60).toList());
    for (int i = 0; i < 10; i++) {
      Filter filter = random.keyFilter();
      QueryPlan plan = QueryPlanner.plan(filter);
      assertThat(find(plan, table)).as("%s", filter).isEqualTo(matching(filter, table, e -> true));
    }
  }

  @Test
  void aPlanCutAtKeysFindsTheMatchesBetweenThem() {
    Fuzz.run(400, Random::nextLong, QueryPlanModelTest::aPlanCutAtKeysFindsTheMatchesBetweenThem);
  }

  private static void aPlanCutAtKeysFindsTheMatchesBetweenThem(long seed) {
    RandomQueries random = new RandomQueries(seed);
    RecordScan table = new RecordScan(Stream.generate(random::entity).limit(60).toList());
    Filter filter = random.keyFilter();
    Position from = random.entity().position();
    Position to = random.entity().position();
    QueryPlan plan = QueryPlanner.plan(filter);

    Predicate<TestEntity> behind = entity -> entity.position().compareTo(from) >= 0;
    assertThat(find(plan.from(from), table)).isEqualTo(matching(filter, table, behind));
    assertThat(plan.from(from).text()).isEqualTo(plan.text());

    Predicate<TestEntity> between = behind.and(entity -> entity.position().compareTo(to) < 0);
    assertThat(find(plan.within(new KeyRange(from, to)), table))
        .as("%s", filter)
        .isEqualTo(matching(filter, table, between));
  }

  /** Few partitions with many rows, so that the visitor seeks. */
  @Test
  void skippingLosesNoMatch() {
    Fuzz.run(200, Random::nextLong, QueryPlanModelTest::skippingLosesNoMatch);
  }

  private static void skippingLosesNoMatch(long seed) {
    RandomQueries random = new RandomQueries(seed);
    List<TestEntity> entities = new ArrayList<>();
    for (String partition : List.of("", "a", "a\0", "b", "😀")) {
      for (int row = 0; row < 50; row++) {
        entities.add(new TestEntity(partition, random.key() + row % 7, 0, List.of()));
      }
    }
    RecordScan table = new RecordScan(entities);
    for (int i = 0; i < 5; i++) {
      Filter filter = random.keyFilter();
      assertThat(find(QueryPlanner.plan(filter), table))
          .as("%s", filter)
          .isEqualTo(matching(filter, table, e -> true));
    }
  }

  /** A partition may end where the next scan range begins, in which other rows are wanted. */
  @Test
  void aSkipStopsAtTheNextScanRange() {
    List<TestEntity> entities = new ArrayList<>();
    for (int row = 0; row < 40; row++) {
      entities.add(new TestEntity("a", "k%02d".formatted(row), 0, List.of()));
      entities.add(new TestEntity("a\0", "k%02d".formatted(row), 0, List.of()));
    }
    RecordScan table = new RecordScan(entities);
    StringValue a = new StringValue("a");
    Filter early =
        new And(
            List.of(
                new Comparison("PartitionKey", Operator.LE, a),
                new Comparison("RowKey", Operator.EQ, new StringValue("k20"))));
    Filter late = new Comparison("PartitionKey", Operator.GT, a);
    Filter filter = new Or(List.of(early, late));
    assertThat(find(QueryPlanner.plan(filter), table))
        .isEqualTo(matching(filter, table, e -> true))
        .hasSize(41);
  }

  /** 80 × 80 points are more than a key set may have, during planning or at the end. */
  @Test
  void aWidenedPlanFindsExactlyTheEntitiesThatMatch() {
    Filter grid = new And(List.of(everySecond("PartitionKey", 80), everySecond("RowKey", 80)));
    Filter narrow = new Comparison("PartitionKey", Operator.LE, new StringValue("k0011"));
    Filter other = new Comparison("RowKey", Operator.EQ, new StringValue("k0013"));
    RecordScan table = grid(20);
    for (Filter filter :
        List.of(
            grid,
            new Not(grid),
            new And(List.of(grid, narrow)),
            new Or(List.of(grid, other)),
            new And(List.of(new Or(List.of(grid, other)), narrow)))) {
      QueryPlan plan = QueryPlanner.plan(filter);
      assertThat(plan.ranges()).hasSizeLessThanOrEqualTo(QueryPlanner.RANGES_MAX);
      assertThat(find(plan, table)).isEqualTo(matching(filter, table, e -> true));
    }
  }

  private static Filter everySecond(String property, int count) {
    return new Or(
        IntStream.range(0, count)
            .<Filter>mapToObj(
                i ->
                    new Comparison(
                        property, Operator.EQ, new StringValue("k%04d".formatted(2 * i))))
            .toList());
  }

  private static RecordScan grid(int side) {
    List<TestEntity> entities = new ArrayList<>();
    for (int i = 0; i < side * side; i++) {
      String partition = "k%04d".formatted(i / side);
      entities.add(new TestEntity(partition, "k%04d".formatted(i % side), 0, List.of()));
    }
    return new RecordScan(entities);
  }

  private static List<TestEntity> find(QueryPlan plan, RecordScan table) {
    List<TestEntity> found = new ArrayList<>();
    MatchingVisitor visitor =
        new MatchingVisitor(
            plan,
            record -> {
              found.add(table.at(position(record)));
              return Visit.CONTINUE;
            });
    table.scan(plan.ranges(), visitor);
    return found;
  }

  private static Position position(LentRecord record) {
    return new Position(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy()));
  }

  private static List<TestEntity> matching(
      Filter filter, RecordScan table, Predicate<TestEntity> condition) {
    return table.entities().stream()
        .filter(condition)
        .filter(entity -> FilterOracle.matches(filter, entity))
        .toList();
  }
}
