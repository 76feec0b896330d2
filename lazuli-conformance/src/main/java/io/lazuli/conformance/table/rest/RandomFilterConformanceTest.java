package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.BatchText;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Random filters over the keys and one property, read page by page. The entities and their order
 * must equal those of a simple loop over all entities. Such filters find mistakes of a query
 * planner that skips key ranges.
 */
@Covers(Area.FILTERS)
class RandomFilterConformanceTest {

  private static final List<String> PARTITIONS =
      List.of("", "a", "a!", "aa", "b", "b'c", "e", "é", "日", "😀", "！");
  private static final List<String> OPERATORS = List.of("eq", "ne", "lt", "le", "gt", "ge");

  private final ScratchTable table = ScratchTable.create();
  private final List<Row> rows = new ArrayList<>();

  /** An entity. The number is null if the entity does not have the property. */
  record Row(String partition, String row, @Nullable Integer number) {}

  /** A filter as text and as a predicate. */
  record RandomFilter(String text, Predicate<Row> meaning) {}

  @Test
  @Documented("table-rest 7.2, 7.4, 7.6; docs/architecture.md, Queries")
  void pagesOfARandomFilterHoldWhatItMeans(TestReporter reporter) {
    run(120, reporter);
  }

  @Test
  @Tag("long")
  @Documented("table-rest 7.2, 7.4, 7.6; docs/architecture.md, Queries")
  void pagesOfManyRandomFiltersHoldWhatTheyMean(TestReporter reporter) {
    run(20_000, reporter);
  }

  private void run(int filters, TestReporter reporter) {
    long seed = Long.getLong("conformance.seed", System.nanoTime());
    reporter.publishEntry("conformance.seed", String.valueOf(seed));
    Random random = new Random(seed);
    fill(random);
    for (int i = 0; i < filters; i++) {
      RandomFilter filter = filter(random, 3);
      List<Row> expected = rows.stream().filter(filter.meaning()).toList();
      assertThat(read(filter.text(), 1 + random.nextInt(60)))
          .as("seed %d, filter %d: %s", seed, i, filter.text())
          .isEqualTo(expected);
    }
  }

  /**
   * Inserts up to twenty rows into each partition. The partitions and the rows are in the order of
   * the service.
   */
  private void fill(Random random) {
    for (String partition : PARTITIONS) {
      BatchText batch = table.batch();
      for (int i = 0; i < 20; i++) {
        if (random.nextInt(4) > 0) {
          Integer number = random.nextInt(5) == 0 ? null : random.nextInt(10);
          Row row = new Row(partition, "%02d".formatted(i), number);
          rows.add(row);
          String keys =
              "{\"PartitionKey\":\"%s\",\"RowKey\":\"%s\"".formatted(partition, row.row());
          batch.insert(table.name(), keys + (number == null ? "}" : ",\"N\":" + number + "}"));
        }
      }
      expect(table.wire().batch(batch).send()).status(202);
    }
  }

  private List<Row> read(String filter, int top) {
    List<Row> found = new ArrayList<>();
    String token = "";
    do {
      String options = "()?$top=" + top + "&$filter=" + Keys.encode(filter) + token;
      WireAnswer page = table.wire().get(table.path() + options).send();
      expect(page).status(200);
      assertThat(page.values().size()).isLessThanOrEqualTo(top);
      page.values()
          .forEach(
              item ->
                  found.add(
                      new Row(
                          item.path("PartitionKey").asText(),
                          item.path("RowKey").asText(),
                          item.has("N") ? item.path("N").asInt() : null)));
      token = ScratchTable.nextPage(page);
    } while (!token.isEmpty());
    return found;
  }

  private static RandomFilter filter(Random random, int depth) {
    int choice = depth == 0 ? 9 : random.nextInt(10);
    if (choice < 3) {
      RandomFilter left = filter(random, depth - 1);
      RandomFilter right = filter(random, depth - 1);
      return new RandomFilter(
          "(" + left.text() + ") and (" + right.text() + ")", left.meaning().and(right.meaning()));
    }
    if (choice < 6) {
      RandomFilter left = filter(random, depth - 1);
      RandomFilter right = filter(random, depth - 1);
      return new RandomFilter(
          "(" + left.text() + ") or (" + right.text() + ")", left.meaning().or(right.meaning()));
    }
    if (choice == 6) {
      RandomFilter inner = filter(random, depth - 1);
      return new RandomFilter("not (" + inner.text() + ")", inner.meaning().negate());
    }
    return comparison(random);
  }

  private static RandomFilter comparison(Random random) {
    String operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
    return switch (random.nextInt(3)) {
      case 0 -> {
        String key = PARTITIONS.get(random.nextInt(PARTITIONS.size()));
        key += random.nextInt(4) == 0 ? "x" : "";
        yield onKey("PartitionKey", operator, key);
      }
      case 1 -> onKey("RowKey", operator, "%02d".formatted(random.nextInt(21)));
      default -> {
        int number = random.nextInt(10);
        yield new RandomFilter(
            "N " + operator + " " + number,
            row -> row.number() != null && holds(operator, Integer.compare(row.number(), number)));
      }
    };
  }

  private static RandomFilter onKey(String name, String operator, String key) {
    boolean partition = name.equals("PartitionKey");
    return new RandomFilter(
        name + " " + operator + " '" + key.replace("'", "''") + "'",
        row -> holds(operator, (partition ? row.partition() : row.row()).compareTo(key)));
  }

  private static boolean holds(String operator, int order) {
    return switch (operator) {
      case "eq" -> order == 0;
      case "ne" -> order != 0;
      case "lt" -> order < 0;
      case "le" -> order <= 0;
      case "gt" -> order > 0;
      default -> order >= 0;
    };
  }
}
