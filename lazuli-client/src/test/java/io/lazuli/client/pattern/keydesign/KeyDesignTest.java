package io.lazuli.client.pattern.keydesign;

import static io.lazuli.client.query.Filter.partitionKey;
import static io.lazuli.client.query.Filter.property;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.keydesign.Finding.Level;
import io.lazuli.client.pattern.spread.KeySpreader;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeyDesignTest {
  private static final int KEYS = 1_000;
  private static final Instant START = Instant.parse("2026-07-31T09:00:00Z");

  private final Random random = new Random(19);

  @Test
  void eventsByTheHourAreAnAppend() {
    List<EntityKey> keys = new ArrayList<>();
    for (int event = 0; event < 1_000; event++) {
      Instant time = START.plus(Duration.ofMinutes(event));
      keys.add(new EntityKey(time.toString().substring(0, 13), time.toString()));
    }
    List<Finding> findings = KeyDesign.of(keys).findings();

    assertThat(findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.diagnosis()).isEqualTo(Diagnosis.APPEND);
              assertThat(finding.level()).isEqualTo(Level.ADVICE);
              assertThat(finding.fact())
                  .isEqualTo("100 % of the sampled inserts go to the last partition of the table.");
              assertThat(finding.remedy()).contains("Begin the PartitionKey with something");
            });
    assertThat(findings.get(0).toString())
        .contains("Append pattern. 100 %", "last partition: 2026-08-01T01", "spread.md");
  }

  @Test
  void invertedTimeInThePartitionKeyIsAPrepend() {
    assertThat(diagnoses(check(i -> "%010d".formatted(1_000_000 - i / 10))))
        .containsExactly(Diagnosis.PREPEND);
  }

  @Test
  void aPartitionForEachEntityInOrderIsAnAppend() {
    assertThat(diagnoses(check("%06d"::formatted))).containsExactly(Diagnosis.APPEND);
  }

  @Test
  void theGuidesRemediesHaveNoFinding() {
    KeySpreader spreader = KeySpreader.of(16);
    assertThat(diagnoses(check(i -> spreader.partitionKey("2026-07-31", "employee" + i))))
        .as("key spreader")
        .isEmpty();
    assertThat(diagnoses(check(i -> "source%02d_%d".formatted(random.nextInt(64), i / 100))))
        .as("the source before the day")
        .isEmpty();
  }

  @Test
  void healthyKeysHaveNoFinding() {
    assertThat(diagnoses(check(i -> String.valueOf(random.nextInt())))).as("GUIDs").isEmpty();
    assertThat(diagnoses(check(i -> "employee" + random.nextInt(500)))).as("log tail").isEmpty();
    assertThat(diagnoses(check(i -> "department" + random.nextInt(3)))).as("three").isEmpty();
    assertThat(diagnoses(check(i -> "word" + zipf(1_000)))).as("Zipf over 1,000").isEmpty();
    assertThat(diagnoses(check(i -> "word" + zipf(20)))).as("Zipf over 20").isEmpty();
    assertThat(
            diagnoses(
                check(i -> random.nextInt(10) < 8 ? "%06d".formatted(i) : String.valueOf(i % 7))))
        .as("80 % at the end")
        .isEmpty();
  }

  @Test
  void oneForAllIsASingleHotPartition() {
    assertThat(KeyDesign.of(keys(i -> "events")).findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.diagnosis()).isEqualTo(Diagnosis.HOT_PARTITION);
              assertThat(finding.fact())
                  .isEqualTo("100 % of the table's requests go to one of 1 partitions.");
              assertThat(finding.remedy()).startsWith("Spread ‘events’ over 8 partitions");
            });
  }

  @Test
  void aPartitionWithMostOfTheKeysIsHot() {
    assertThat(diagnoses(check(i -> random.nextInt(10) < 6 ? "m" : "p" + random.nextInt(100))))
        .containsExactly(Diagnosis.HOT_PARTITION);
    assertThat(diagnoses(check(i -> random.nextInt(10) < 6 ? "m" : "p" + random.nextInt(3))))
        .as("the second has over a fifth of it")
        .isEmpty();
  }

  @Test
  void theRateDecidesAboutTheLevel() {
    KeyDesign hour = KeyDesign.of(keys(i -> "%03d".formatted(i / 50)));
    assertThat(hour.atRate(19).findings()).isEmpty();
    assertThat(hour.atRate(20).findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.level()).isEqualTo(Level.ADVICE);
              assertThat(finding.fact()).startsWith("100 % of 20 inserts/s go to the last");
            });
    assertThat(hour.atRate(500).findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.level()).isEqualTo(Level.WARNING));
    KeyDesign single = KeyDesign.of(keys(i -> "events"));
    assertThat(single.atRate(499).findings())
        .as("a small table in one partition is fine")
        .isEmpty();
    assertThat(single.atRate(10_000).findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.remedy()).contains("over 20 partitions"));
  }

  @Test
  void aQueryThatTouchesManyPartitionsIsAWideFanOut() {
    KeyDesign design = KeyDesign.of(keys(i -> "employee" + random.nextInt(500)));
    assertThat(design.reading(partitions(50)).findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.diagnosis()).isEqualTo(Diagnosis.FAN_OUT);
              assertThat(finding.fact()).contains("asks 50 partitions at once");
            });
    assertThat(design.reading(partitions(49)).findings()).isEmpty();
    assertThat(design.reading(Query.where(property("LastName").eq("Jones"))).findings())
        .singleElement()
        .satisfies(
            finding -> assertThat(finding.fact()).startsWith("The query LastName eq 'Jones' asks"));
    assertThat(design.reading(Query.partition("employee1")).findings()).isEmpty();
  }

  @Test
  void fewKeysProveNothing() {
    assertThatThrownBy(() -> KeyDesign.of(keys(i -> "a").subList(0, 199)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("200");
    assertThat(KeyDesign.of(keys("%06d"::formatted).subList(0, 200)).findings()).hasSize(1);
  }

  @Test
  void aShareCountsWithTheLowerEndOfItsInterval() {
    assertThat(Rules.shareAtLeast(0, 0)).isZero();
    assertThat(Rules.shareAtLeast(30, 30)).isBetween(0.88, 0.89);
    assertThat(Rules.shareAtLeast(500, 1_000)).isBetween(0.469, 0.470);
    assertThat(Rules.shareAtLeast(9_500, 10_000)).isBetween(0.945, 0.946);
  }

  @Test
  void theSketchFindsFrequentPartitionsInBoundedMemory() {
    PartitionCounts counts = new PartitionCounts(64);
    for (int i = 0; i < 20_000; i++) {
      counts.add(random.nextInt(10) < 6 ? "hot" : "p" + random.nextInt(10_000), 1);
    }
    assertThat(counts.partitions()).isEqualTo(64);
    assertThat(counts.largest().get(0).partition()).isEqualTo("hot");
    assertThat(counts.largest().get(0).atLeast()).isBetween(11_500L, 12_500L);
    assertThat(counts.largest().get(1).atMost()).isLessThan(400);
  }

  @Test
  void thePagesOfTheRemediesExist() {
    for (Diagnosis diagnosis : Diagnosis.values()) {
      assertThat(diagnosis.pages())
          .isNotEmpty()
          .allSatisfy(page -> assertThat(Files.exists(Path.of("..", page))).as(page).isTrue());
    }
  }

  private static Query partitions(int count) {
    Filter any =
        IntStream.range(0, count)
            .<Filter>mapToObj(i -> partitionKey().eq("employee" + i))
            .reduce(Filter::or)
            .orElseThrow();
    return Query.where(any);
  }

  private static KeyDesign check(IntFunction<String> partition) {
    return KeyDesign.of(keys(partition));
  }

  private static List<EntityKey> keys(IntFunction<String> partition) {
    return IntStream.range(0, KEYS)
        .mapToObj(i -> new EntityKey(partition.apply(i), String.valueOf(i)))
        .toList();
  }

  private static List<Diagnosis> diagnoses(KeyDesign design) {
    return design.findings().stream().map(Finding::diagnosis).toList();
  }

  /** Returns a rank from 1, with a probability that is proportional to 1 / rank. */
  private int zipf(int ranks) {
    double sum = IntStream.rangeClosed(1, ranks).mapToDouble(rank -> 1.0 / rank).sum();
    double left = random.nextDouble() * sum;
    int rank = 1;
    while (left > 1.0 / rank && rank < ranks) {
      left -= 1.0 / rank;
      rank++;
    }
    return rank;
  }
}
