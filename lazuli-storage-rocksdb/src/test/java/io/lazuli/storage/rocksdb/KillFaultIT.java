package io.lazuli.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Durability;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kill -9 at random moments: every acknowledged transaction survives, and none partially. */
final class KillFaultIT {
  private static final int ROUNDS = 20;

  @Test
  @Timeout(600)
  void nothingAcknowledgedIsLostInTwentyKills(@TempDir Path folder) throws InterruptedException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    long acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Map<Integer, Long> highest =
          CrashRound.run(folder, Durability.DISK, random.nextInt(300), Map.of());
      assertThat(CrashWriter.countLost(folder, highest))
          .as("lost in round %d, seed %d", round, seed)
          .isZero();
      acknowledged = highest.values().stream().mapToLong(Long::longValue).sum();
    }
    System.out.printf("%d kills, %d acknowledged, 0 lost, seed %d%n", ROUNDS, acknowledged, seed);
    assertThat(acknowledged).isGreaterThan(ROUNDS);
  }
}
