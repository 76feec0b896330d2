package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.contract.EngineFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The program whose changes to the disk {@link CrashDisk} records: all kinds of {@link CrashSteps}
 * at the same time, a clean stop in the middle, and a mark in the trace for each acknowledged step.
 */
final class CrashWorkload {
  private CrashWorkload() {}

  /** Arguments: the folder, the durability, and the number of steps of each producer. */
  public static void main(String[] arguments) throws IOException {
    CrashDisk.send(SimulatedDisk.mark(Path.of(arguments[0])));
    EngineConfig config =
        config(Path.of(arguments[0])).withDurability(Durability.valueOf(arguments[1]));
    long steps = Long.parseLong(arguments[2]);
    for (int run = 0; run < 2; run++) {
      try (RocksDbEngine engine = RocksDbEngine.open(config)) {
        if (run == 0) {
          // The space of the partitions of steps has the first number.
          EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER));
        }
        long first = run * steps / 2 + 1;
        long last = (run + 1) * steps / 2;
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (CrashSteps producer : CrashSteps.values()) {
          running.add(CompletableFuture.runAsync(() -> take(engine, producer, first, last)));
        }
        running.forEach(CompletableFuture::join);
      }
      CrashDisk.send("closed");
    }
    System.out.println("done");
  }

  /** Returns a configuration with write buffers that are full after a few steps. */
  static EngineConfig config(Path folder) {
    return EngineConfig.of(folder).withMemoryBytes(3 << 20);
  }

  private static void take(RocksDbEngine engine, CrashSteps producer, long first, long last) {
    for (long step = first; step <= last; step++) {
      producer.take(engine, step);
      CrashDisk.send("ack " + producer.name() + " " + step);
    }
  }
}
