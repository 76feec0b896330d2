package io.lazuli.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Simulated power cuts: acknowledged transactions survive the loss of the page cache. */
@Tag("long")
final class PowerCutFaultIT {
  private static final int ROUNDS = 20;
  private static final int CONTROL_ROUNDS = 3;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private long acknowledged;
  private long bytesCut;

  @Test
  void nothingAcknowledgedIsLostInTwentyPowerCuts(@TempDir Path data, @TempDir Path work)
      throws IOException, InterruptedException {
    PowerCut powerCut = PowerCut.prepare(work);
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(lostInOneRound(powerCut, data.toRealPath(), Durability.DISK))
          .as("lost in round %d, seed %d", i, seed)
          .isZero();
    }
    report(ROUNDS, 0);
    assertThat(bytesCut).as("bytes that were not synced").isPositive();
  }

  /** The control: without syncs the same simulation does lose acknowledged transactions. */
  @Test
  void relaxedDurabilityLosesAcknowledgedWrites(@TempDir Path data, @TempDir Path work)
      throws IOException, InterruptedException {
    PowerCut powerCut = PowerCut.prepare(work);
    long lost = 0;
    for (int i = 0; i < CONTROL_ROUNDS; i++) {
      lost += lostInOneRound(powerCut, data.toRealPath(), Durability.RELAXED);
    }
    report(CONTROL_ROUNDS, lost);
    assertThat(lost).as("lost, seed %d", seed).isPositive();
  }

  private long lostInOneRound(PowerCut powerCut, Path data, Durability durability)
      throws IOException, InterruptedException {
    Map<Path, Long> before = powerCut.lengths(data);
    Map<Integer, Long> highest =
        CrashRound.run(data, durability, random.nextInt(700), powerCut.environment());
    bytesCut += powerCut.cut(data, before);
    acknowledged = highest.values().stream().mapToLong(Long::longValue).sum();
    return CrashWriter.countLost(data, highest);
  }

  private void report(int rounds, long lost) {
    System.out.printf(
        "%d power cuts, %d acknowledged at the end, %d bytes cut away, %d lost, seed %d%n",
        rounds, acknowledged, bytesCut, lost, seed);
  }
}
