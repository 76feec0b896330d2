package io.lazuli.server.table.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.protocol.ODataFilterParser;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.fuzz.Fuzz;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any text gives either a filter that can be planned or an error of the protocol. */
class FilterFuzzTest {
  private static final List<String> PIECES =
      List.of(
          "(",
          ")",
          " ",
          "'",
          "''",
          "eq",
          " ne ",
          " and ",
          " or ",
          "not ",
          "true",
          "null",
          "A",
          "PartitionKey",
          "RowKey",
          "'x'",
          "5",
          "-",
          "5L",
          "1e",
          ".5",
          "NaN",
          "datetime'",
          "guid'",
          "X'0",
          "add",
          "\0",
          "\ud800",
          "😀",
          "ä",
          ",",
          "/",
          "{text}",
          "{position}",
          "$",
          "%27");

  @Test
  void piecesInAnyOrder() {
    Fuzz.run(2_000, Random::nextLong, FilterFuzzTest::piecesInAnyOrder);
  }

  private static void piecesInAnyOrder(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 10; i++) {
      StringBuilder text = new StringBuilder();
      for (int piece = random.nextInt(12); piece >= 0; piece--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      assertAnswered(text.toString());
    }
  }

  @Test
  void filtersWithASlip() {
    Fuzz.run(2_000, Random::nextLong, FilterFuzzTest::filtersWithASlip);
  }

  private static void filtersWithASlip(long seed) {
    Random random = new Random(seed);
    RandomQueries queries = new RandomQueries(seed);
    String text = queries.text(queries.filter());
    for (int i = 0; i < 10; i++) {
      int from = random.nextInt(text.length() + 1);
      int to = Math.min(text.length(), from + random.nextInt(4));
      String piece = random.nextBoolean() ? "" : PIECES.get(random.nextInt(PIECES.size()));
      assertAnswered(text.substring(0, from) + piece + text.substring(to));
    }
  }

  private static void assertAnswered(String text) {
    try {
      QueryPlan plan = QueryPlanner.plan(ODataFilterParser.parse(text));
      KeyRange.requireSortedAndDisjoint(plan.ranges());
    } catch (ServiceException e) {
      assertThat(e.error().status()).as("%s", text).isIn(400, 501);
      assertThat(e.text()).isNotEmpty();
    }
  }
}
