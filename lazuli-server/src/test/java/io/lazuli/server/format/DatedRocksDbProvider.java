package io.lazuli.server.format;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.Ticks;
import java.time.Instant;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicLong;

/**
 * RocksDB, opened at another time: its clock begins at {@link #start}. Soft-deleted blobs expire,
 * so a data folder that has some must be read at the time at which it was made.
 */
public final class DatedRocksDbProvider implements StorageEngineProvider {
  static final String NAME = "dated";

  /** How far the clock of the engines is behind the clock of the machine, in ticks. */
  private static final AtomicLong BEHIND = new AtomicLong();

  /** Lets the clock of the engines begin at a time. */
  static void start(Instant time) {
    BEHIND.set(Ticks.systemNow() - Ticks.of(time));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public StorageEngine open(EngineConfig config) {
    for (StorageEngineProvider provider : ServiceLoader.load(StorageEngineProvider.class)) {
      if (provider.name().equals("rocksdb")) {
        return provider.open(config.withTicks(() -> Ticks.systemNow() - BEHIND.get()));
      }
    }
    throw new IllegalStateException("RocksDB is not on the class path");
  }
}
