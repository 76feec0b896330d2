package io.lazuli.server.table.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.table.protocol.ODataFilterParser;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Filters on record bytes against the oracle; jqwik prints the seed of a failure. */
class RecordPredicateModelTest {
  /** 100,000 pairs of filter and entity. */
  @Property(tries = 2_500, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void bytesMatchExactlyWhereValuesDo(@ForAll long seed) {
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

  @Property(tries = 5_000, shrinking = ShrinkingMode.OFF, edgeCases = EdgeCasesMode.NONE)
  void aFilterWrittenAsTextIsReadBackAsItself(@ForAll long seed) {
    RandomQueries random = new RandomQueries(seed);
    Filter filter = random.filter();
    String text = random.text(filter);
    assertThat(ODataFilterParser.parse(text)).as(text).isEqualTo(filter);
  }
}
