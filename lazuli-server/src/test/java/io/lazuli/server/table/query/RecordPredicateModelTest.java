package io.lazuli.server.table.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.table.protocol.ODataFilterParser;
import io.lazuli.storage.fuzz.Fuzz;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares filters on record bytes with the oracle. */
class RecordPredicateModelTest {
  /** Tests 100,000 pairs of a filter and an entity. */
  @Test
  void bytesMatchExactlyWhereValuesDo() {
    Fuzz.run(2_500, Random::nextLong, RecordPredicateModelTest::bytesMatchExactlyWhereValuesDo);
  }

  private static void bytesMatchExactlyWhereValuesDo(long seed) {
    RandomQueries random = new RandomQueries(seed);
    List<TestEntity> entities = Stream.generate(random::entity).limit(8).toList();
    for (int i = 0; i < 5; i++) {
      Filter filter = random.filter();
      RecordPredicate predicate = RecordPredicate.of(filter);
      for (TestEntity entity : entities) {
        assertThat(predicate.test(entity.lend()))
            .as("%s on %s", filter, entity)
            .isEqualTo(FilterOracle.matches(filter, entity));
      }
    }
  }

  @Test
  void aFilterWrittenAsTextIsReadBackAsItself() {
    Fuzz.run(
        5_000, Random::nextLong, RecordPredicateModelTest::aFilterWrittenAsTextIsReadBackAsItself);
  }

  private static void aFilterWrittenAsTextIsReadBackAsItself(long seed) {
    RandomQueries random = new RandomQueries(seed);
    Filter filter = random.filter();
    String text = random.text(filter);
    assertThat(ODataFilterParser.parse(text)).as(text).isEqualTo(filter);
  }
}
