package io.lazuli.server.table.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import io.lazuli.storage.faults.TestingEngine;
import io.lazuli.storage.fuzz.Fuzz;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Queries on an engine that applies their tests find what they find on any other. */
class TestedScanTest {
  private static final Partition HOME = new Partition(Space.CATALOGUE, Bytes.EMPTY);

  @Test
  void aTestChangesNoResult() {
    Fuzz.run(150, Random::nextLong, TestedScanTest::aTestChangesNoResult);
  }

  private static void aTestChangesNoResult(long seed) {
    RandomQueries random = new RandomQueries(seed);
    Random sizes = new Random(seed);
    try (StorageEngine plain =
        new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")))) {
      Space space = fill(plain, Stream.generate(random::entity).limit(60).toList());
      StorageEngine testing = new TestingEngine(plain, () -> 1 + sizes.nextInt(7));
      for (int i = 0; i < 10; i++) {
        QueryPlan plan = QueryPlanner.plan(random.filter());
        int matchesMax = 1 + sizes.nextInt(5);
        Page expected = new Page(plan, matchesMax);
        scan(plain, space, plan, expected);
        Page found = new Page(plan, matchesMax);
        scan(testing, space, plan, found);
        assertThat(found.keys).isEqualTo(expected.keys);
        assertThat(found.next).isEqualTo(expected.next);
        assertThat(found.matching.examined()).isEqualTo(expected.matching.examined());
        assertThat(expected.tests).isZero();
      }
    }
  }

  /** One entity of a hundred matches, so that the test is worth its cost. */
  @Test
  void recordsThatFailTheTestAreLeftOutAndCounted() {
    List<TestEntity> entities =
        IntStream.range(0, 100)
            .mapToObj(
                i ->
                    new TestEntity(
                        "p", "r%03d".formatted(i), 0, List.of(property(i == 70 ? 1 : 2))))
            .toList();
    Filter filter = new Comparison("A", Operator.EQ, new Int32Value(1));
    try (StorageEngine plain =
        new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")))) {
      Space space = fill(plain, entities);
      QueryPlan plan = QueryPlanner.plan(filter);
      Page page = new Page(plan, 1_000);
      scan(new TestingEngine(plain, () -> 10), space, plan, page);
      assertThat(page.keys).containsExactly(entities.get(70).position());
      assertThat(page.matching.examined()).isEqualTo(100);
      assertThat(page.visited).isEqualTo(11);
    }
  }

  private static Property property(int value) {
    return new Property("A", new Int32Value(value));
  }

  /** A page with a limit, as queries collect it. */
  private static final class Page implements RecordVisitor {
    final MatchingVisitor matching;
    final List<Position> keys = new ArrayList<>();
    @Nullable Position next;
    int tests;
    int visited;
    private final int matchesMax;

    Page(QueryPlan plan, int matchesMax) {
      this.matching = new MatchingVisitor(plan, this::accept);
      this.matchesMax = matchesMax;
    }

    private Visit accept(LentRecord record) {
      keys.add(position(record));
      return Visit.CONTINUE;
    }

    @Override
    public Visit visit(LentRecord record) {
      visited++;
      if (keys.size() == matchesMax) {
        next = position(record);
        return Visit.STOP;
      }
      return matching.visit(record);
    }

    @Override
    public @Nullable RecordTest test() {
      tests++;
      return keys.size() == matchesMax ? null : matching.test(matchesMax - keys.size());
    }

    @Override
    public void leftOut(long records) {
      matching.leftOut(records);
    }

    private static Position position(LentRecord record) {
      return new Position(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy()));
    }
  }

  private static void scan(StorageEngine engine, Space space, QueryPlan plan, Page page) {
    if (!plan.ranges().isEmpty()) {
      engine.scan(space, plan.ranges(), Direction.FORWARD, Deadline.NEVER, page).join();
    }
  }

  private static Space fill(StorageEngine engine, List<TestEntity> entities) {
    Space space = new Space(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER).join(), HOME);
    for (TestEntity entity : entities) {
      Position position = entity.position();
      engine
          .transact(
              new Partition(space, position.partition()),
              List.of(),
              Deadline.NEVER,
              view -> {
                view.put(position.row(), entity.record());
                return true;
              })
          .join();
    }
    return space;
  }
}
