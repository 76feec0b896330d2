package io.lazuli.storage.hbase.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.keys.KeyInterval;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The steps of the reclaimer, without a cluster. */
class ReclaimerTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final ReclaimSettings SETTINGS =
      new ReclaimSettings(HOUR, 10_000, 5_000, 5_000 * FakeSpaces.ROW_BYTES);

  private final FakeSpaces spaces = new FakeSpaces();
  private boolean leads = true;
  private long nanos;
  private long millis = Duration.ofDays(1_000).toMillis();
  private Reclaimer reclaimer = reclaimer(false);

  private Reclaimer reclaimer(boolean mayCut) {
    return new Reclaimer(spaces, spaces, SETTINGS, mayCut, () -> millis);
  }

  private boolean turn() {
    return reclaimer.run(
        new ReclaimTurn(
            () -> leads, () -> nanos, rest -> nanos += rest.toNanos(), SETTINGS.rowsPerSecond()));
  }

  private void dropLongAgo(long space) {
    spaces.drop(space, millis - HOUR.toMillis());
  }

  @Test
  void dueRecordsAreRemovedAndNoOthers() {
    for (long space = 1; space <= 4; space++) {
      spaces.fill(space, 2_500);
    }
    dropLongAgo(2);
    spaces.drop(3, millis - HOUR.toMillis() + 1);
    assertThat(turn()).isFalse();
    assertThat(spaces.stored(2)).isZero();
    assertThat(List.of(spaces.stored(1), spaces.stored(3), spaces.stored(4))).containsOnly(2_500L);
    assertThat(spaces.recorded(2)).hasValueSatisfying(drop -> assertThat(drop.swept()).isTrue());
    assertThat(spaces.recorded(3)).hasValueSatisfying(drop -> assertThat(drop.swept()).isFalse());
    assertThat(reclaimer.waiting()).isEqualTo(1);
  }

  @Test
  void aSweepContinuesAfterTheLastKeyUnderAnyLeader() {
    int rows = 2 * ReclaimTurn.ROWS_MAX + 12_345;
    spaces.fill(1, rows);
    dropLongAgo(1);
    int turns = 0;
    while (spaces.stored(1) > 0) {
      reclaimer = reclaimer(false);
      turn();
      turns++;
    }
    assertThat(turns).isEqualTo(3);
    List<Bytes> begun = spaces.begun.get(1L);
    assertThat(begun).isSorted().doesNotHaveDuplicates().hasSize(rows / 1_000 + 1);
  }

  @Test
  void aLargeDropDoesNotDelayTheOthers() {
    spaces.fill(1, 3 * ReclaimTurn.ROWS_MAX);
    spaces.fill(2, 10);
    dropLongAgo(1);
    dropLongAgo(2);
    assertThat(turn()).isTrue();
    assertThat(spaces.stored(2)).isEqualTo(10);
    assertThat(turn()).as("the round ends, and one was cut short").isTrue();
    assertThat(spaces.stored(2)).isZero();
    assertThat(spaces.stored(1)).isEqualTo(2 * ReclaimTurn.ROWS_MAX);
  }

  @Test
  void aFailedDropDoesNotDelayOthersAndIsTriedAgain() {
    for (long space = 1; space <= 3; space++) {
      spaces.fill(space, 10);
      dropLongAgo(space);
    }
    spaces.broken.add(1L);
    assertThat(turn()).as("not at once").isFalse();
    assertThat(spaces.stored(1)).isEqualTo(10);
    assertThat(spaces.stored(2) + spaces.stored(3)).isZero();
    assertThat(reclaimer.fault()).isEqualTo("on purpose");
    spaces.broken.clear();
    turn();
    assertThat(spaces.stored(1)).isZero();
    assertThat(reclaimer.fault()).isEmpty();
  }

  @Test
  void theProgressOfAFailedDropIsKept() {
    spaces.fill(1, 3_500);
    dropLongAgo(1);
    AtomicInteger pages = new AtomicInteger();
    spaces.beforePage =
        () -> {
          if (pages.incrementAndGet() == 3) {
            spaces.broken.add(1L);
          }
        };
    turn();
    assertThat(spaces.recorded(1))
        .hasValueSatisfying(
            drop -> {
              assertThat(drop.from()).isEqualTo(FakeSpaces.key(1, 1_999).successor());
              assertThat(drop.rows()).isEqualTo(2_000);
            });
  }

  @Test
  void aTurnProcessesALimitedNumberOfDropsAndTheNextOneTheRest() {
    for (long space = 1; space <= ReclaimTurn.DROPS_MAX + 5; space++) {
      dropLongAgo(space);
    }
    assertThat(turn()).isTrue();
    assertThat(spaces.begun).hasSize(ReclaimTurn.DROPS_MAX);
    assertThat(turn()).isFalse();
    assertThat(spaces.begun).hasSize(ReclaimTurn.DROPS_MAX + 5);
  }

  @Test
  void aTurnTakesALimitedTime() {
    spaces.fill(1, 50_000);
    dropLongAgo(1);
    spaces.beforePage = () -> nanos += ReclaimTurn.TIME_MAX.dividedBy(4).toNanos();
    assertThat(turn()).isTrue();
    assertThat(spaces.begun.get(1L)).hasSize(4);
  }

  @Test
  void rowsAreDeletedAtASteadyRate() {
    spaces.fill(1, 30_000);
    dropLongAgo(1);
    turn();
    assertThat(spaces.stored(1)).isZero();
    assertThat(Duration.ofNanos(nanos)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void aServerThatNoLongerLeadsStopsBetweenPages() {
    spaces.fill(1, 5_000);
    dropLongAgo(1);
    AtomicInteger pages = new AtomicInteger();
    spaces.beforePage = () -> leads = pages.incrementAndGet() < 2;
    assertThat(turn()).isFalse();
    assertThat(spaces.stored(1)).isEqualTo(3_000);
    assertThat(turn()).isFalse();
    assertThat(pages).hasValue(2);
  }

  @Test
  void anInterruptedTurnStops() {
    spaces.fill(1, 10);
    dropLongAgo(1);
    Thread.currentThread().interrupt();
    try {
      assertThat(turn()).isFalse();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(spaces.stored(1)).isEqualTo(10);
  }

  @Test
  void theSecondSweepRunsAfterADayAndThenTheDropIsForgotten() {
    spaces.fill(1, 1_500);
    dropLongAgo(1);
    turn();
    spaces.fill(1, 3);
    millis += Duration.ofHours(24).toMillis() - 1;
    turn();
    assertThat(spaces.stored(1)).isEqualTo(3);
    millis++;
    turn();
    assertThat(spaces.stored(1)).isZero();
    assertThat(spaces.recorded(1)).isEmpty();
  }

  @Test
  void regionsInsideAreTruncatedAndFewRowsOutsideAreDeleted() {
    spaces.fill(1, 1_000);
    spaces.fill(2, 40_000);
    spaces.fill(3, 1_000);
    spaces.boundaries.add(FakeSpaces.partition(2, 2_000));
    spaces.boundaries.add(FakeSpaces.partition(2, 20_000));
    spaces.boundaries.add(FakeSpaces.partition(2, 38_000));
    dropLongAgo(2);
    reclaimer = reclaimer(true);
    turn();
    assertThat(spaces.stored(2)).isZero();
    assertThat(spaces.operations).hasSize(2).allMatch(BalanceStep.Truncate.class::isInstance);
    assertNeighboursOf2Stay();
    assertThat(turn()).as("an empty region is not emptied again").isFalse();
    assertThat(spaces.operations).hasSize(2);
  }

  @Test
  void aLargeSpaceIsCutOutOfTheRegionThatItShares() {
    large();
    reclaimer = reclaimer(true);
    assertThat(turn()).as("the cluster has to compact first").isFalse();
    assertThat(spaces.boundaries).contains(KeyInterval.ofSpace(2).from());
    spaces.refusals = 2;
    turn();
    turn();
    assertThat(spaces.boundaries).doesNotContain(KeyInterval.ofSpace(2).to());
    turn();
    assertThat(spaces.boundaries).contains(KeyInterval.ofSpace(2).to());
    turn();
    assertThat(spaces.stored(2)).isZero();
    assertThat(spaces.operations.get(2)).isInstanceOf(BalanceStep.Truncate.class);
    assertNeighboursOf2Stay();
  }

  @Test
  void aLargeSpaceWaitsALimitedTimeToBeCutOut() {
    large();
    reclaimer = reclaimer(true);
    spaces.refusals = Integer.MAX_VALUE;
    turn();
    assertThat(spaces.stored(2)).isPositive();
    millis += Duration.ofHours(6).toMillis();
    turn();
    assertThat(spaces.stored(2)).isZero();
    assertThat(spaces.operations).isEmpty();
    assertNeighboursOf2Stay();
  }

  @Test
  void ifRegionsMustNotBeSplitRowsAreDeletedOneByOne() {
    large();
    turn();
    assertThat(spaces.stored(2)).isZero();
    assertThat(spaces.operations).isEmpty();
  }

  @Test
  void ifTheClusterCannotTruncateRowsAreDeletedOneByOne() {
    large();
    spaces.truncates = false;
    spaces.boundaries.add(KeyInterval.ofSpace(2).from());
    reclaimer = reclaimer(true);
    turn();
    assertThat(spaces.stored(2)).isZero();
    assertThat(spaces.operations).isEmpty();
    assertNeighboursOf2Stay();
  }

  @Test
  void anyRegionsAnyLeadersAnyRefusals() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 10; round++) {
      spaces.keys.clear();
      spaces.boundaries.clear();
      spaces.boundaries.add(Bytes.EMPTY);
      for (long space = 1; space <= 5; space++) {
        int rows = random.nextInt(4) == 0 ? 0 : random.nextInt(30_000);
        spaces.fill(space, rows);
        for (int cuts = random.nextInt(4); cuts > 0 && rows > 0; cuts--) {
          spaces.boundaries.add(FakeSpaces.partition(space, random.nextInt(rows)));
        }
        if (random.nextBoolean()) {
          spaces.boundaries.add(KeyInterval.ofSpace(space).from());
        }
      }
      List<Long> stay = List.of(spaces.stored(1), spaces.stored(3), spaces.stored(5));
      dropLongAgo(2);
      dropLongAgo(4);
      int turns = 0;
      while (spaces.stored(2) + spaces.stored(4) > 0) {
        reclaimer = reclaimer(true);
        spaces.refusals = random.nextInt(2);
        turn();
        assertThat(turns++).as("seed %d", seed).isLessThan(100);
      }
      assertThat(List.of(spaces.stored(1), spaces.stored(3), spaces.stored(5)))
          .as("seed %d", seed)
          .isEqualTo(stay);
    }
  }

  private void large() {
    spaces.fill(1, 1_000);
    spaces.fill(2, 40_000);
    spaces.fill(3, 1_000);
    dropLongAgo(2);
  }

  private void assertNeighboursOf2Stay() {
    assertThat(spaces.stored(1)).isEqualTo(1_000);
    assertThat(spaces.stored(3)).isEqualTo(1_000);
  }
}
