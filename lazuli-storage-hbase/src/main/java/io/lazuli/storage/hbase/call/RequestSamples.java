package io.lazuli.storage.hbase.call;

import io.lazuli.storage.hbase.balance.Heat;
import io.lazuli.storage.hbase.balance.HeatSampler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Samples which partitions this server requests, by table. Thread-safe. */
public final class RequestSamples {
  private final Map<StoreTable, HeatSampler> samplers = new EnumMap<>(StoreTable.class);

  public RequestSamples() {
    for (StoreTable table : StoreTable.values()) {
      samplers.put(table, new HeatSampler());
    }
  }

  /** Counts a call to the region of a row. */
  void note(StoreTable table, byte[] row) {
    HeatSampler sampler = samplers.get(table);
    if (sampler != null) {
      sampler.note(row);
    }
  }

  /** Returns the samples since the last call, by short table name. */
  public Map<String, Heat> take(Duration period) {
    Map<String, Heat> heat = new HashMap<>();
    samplers.forEach((table, sampler) -> heat.put(shortName(table), sampler.take(period)));
    heat.values().removeIf(table -> table.shares().isEmpty());
    return heat;
  }

  /** Returns the name of a table without its namespace. */
  public static String shortName(StoreTable table) {
    return table.name().toLowerCase(Locale.ROOT);
  }
}
