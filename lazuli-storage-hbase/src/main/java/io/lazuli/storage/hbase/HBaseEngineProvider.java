package io.lazuli.storage.hbase;

import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.StoreReport;
import io.lazuli.storage.StoreRestore;
import io.lazuli.storage.hbase.chunk.ChunkFolder;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.cut.HBaseRestore;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/** Opens the engine on the cluster that the configuration file names. */
public final class HBaseEngineProvider implements StorageEngineProvider {
  @Override
  public String name() {
    return "hbase";
  }

  @Override
  public StorageEngine open(EngineConfig config) {
    config.requireDurability(name(), Set.of(Durability.DISK, Durability.REPLICATED));
    config.requireNoKeptLog(name());
    Configuration site = ClusterConnection.configuration(config.engineConfig());
    HBaseSettings settings = HBaseSettings.of(site).withDurability(config.durability());
    return HBaseEngine.open(config, site, settings);
  }

  /** Opens the engine as a server does: others may use the cluster at the same time. */
  @Override
  public StorageEngine openToRead(EngineConfig config) {
    return open(config);
  }

  @Override
  public StoreRestore restore(EngineConfig config) {
    Configuration site = ClusterConnection.configuration(config.engineConfig());
    HBaseSettings settings = HBaseSettings.of(site);
    ClusterConnection connection = ClusterConnection.open(site, settings.user());
    return HBaseRestore.begin(connection, settings.namespace(), folder(site, connection));
  }

  private static @Nullable ChunkFolder folder(Configuration site, ClusterConnection connection) {
    try {
      return HBaseEngine.chunkFolder(site, connection);
    } catch (EngineOpenException e) {
      connection.close();
      throw e;
    }
  }

  /** HBase and HDFS check their own files. */
  @Override
  public StoreReport verify(EngineConfig config) {
    return new StoreReport(List.of(), List.of("HBase and HDFS check their own files"));
  }

  @Override
  public StoreReport repair(EngineConfig config, boolean salvage) {
    throw new EngineOpenException(
        "lazuli repair works on the data folder of the engine rocksdb; HBase has its own tools",
        null);
  }
}
