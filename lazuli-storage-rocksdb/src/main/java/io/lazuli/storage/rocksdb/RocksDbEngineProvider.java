package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.Replay;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.StoreReport;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import io.lazuli.storage.rocksdb.log.DatabaseLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Opens the RocksDB engine under the name {@code rocksdb}. */
public final class RocksDbEngineProvider implements StorageEngineProvider {
  @Override
  public String name() {
    return "rocksdb";
  }

  @Override
  public StorageEngine open(EngineConfig config) {
    config.requireDurability(name(), Set.of(Durability.DISK, Durability.RELAXED));
    config.requireNoEngineConfig(name());
    if (config.keptLogBytesMax() > 0 && config.durability() != Durability.DISK) {
      // A power cut could undo changes that the archive already has.
      throw new EngineOpenException(
          "backup-archive needs durability disk: with relaxed durability a power cut may undo"
              + " changes that the archive has",
          null);
    }
    return RocksDbEngine.open(config);
  }

  @Override
  public Replay openToReplay(EngineConfig config) {
    return RocksDbReplay.open(DataFolder.openUnfinished(config.folder()), config.memoryBytes());
  }

  @Override
  public StorageEngine openToRead(EngineConfig config) {
    return ReadOnlyEngine.open(config);
  }

  @Override
  public StoreReport verify(EngineConfig config) {
    try (DataFolder folder = DataFolder.openExisting(config.folder())) {
      return new DatabaseLog(folder.root(), folder.database()).verify();
    }
  }

  @Override
  public StoreReport repair(EngineConfig config, boolean salvage) {
    try (DataFolder folder = DataFolder.openExisting(config.folder())) {
      StoreReport log = new DatabaseLog(folder.root(), folder.database()).repair(salvage);
      if (!log.damage().isEmpty()) {
        return log;
      }
      StoreReport tables = new TableRepair(folder, config.memoryBytes()).run(salvage);
      List<String> notes = new ArrayList<>(log.notes());
      notes.addAll(tables.notes());
      return new StoreReport(tables.damage(), notes);
    }
  }
}
