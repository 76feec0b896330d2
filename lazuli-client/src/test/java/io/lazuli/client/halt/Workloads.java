package io.lazuli.client.halt;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** All workloads, by name. A pattern that sends no writes (lookup, key) has none. */
final class Workloads {
  /** Only the end of its process stops a worker in the background. */
  private static final String IN_BACKGROUND = "outbox-in-background";

  /** A workload that is broken on purpose, to test the test. */
  static final String BROKEN = "broken";

  private static final Map<String, Function<World, Workload>> ALL =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("table", TableWorkload::new),
              Map.entry("index", IndexWorkload::new),
              Map.entry("partition-index", PartitionIndexWorkload::new),
              Map.entry("index-build", IndexBuildWorkload::new),
              Map.entry("list", ListWorkload::new),
              Map.entry("list-elsewhere", ListElsewhereWorkload::new),
              Map.entry("copies", CopiesWorkload::new),
              Map.entry("relation", RelationWorkload::new),
              Map.entry("outbox", world -> new OutboxWorkload(world, false)),
              Map.entry(IN_BACKGROUND, world -> new OutboxWorkload(world, true)),
              Map.entry("move", MoveWorkload::new),
              Map.entry("wide", WideWorkload::new),
              Map.entry("large", LargeWorkload::new),
              Map.entry("period", PeriodWorkload::new),
              Map.entry("log", LogWorkload::new),
              Map.entry("log-tail", LogTailWorkload::new),
              Map.entry("series", SeriesWorkload::new),
              Map.entry("spread", SpreadWorkload::new),
              Map.entry("lock", LockWorkload::new),
              Map.entry("sequence", SequenceWorkload::new),
              Map.entry("sas", SasWorkload::new)));

  private Workloads() {}

  /** Returns the names of the workloads for processes. */
  static List<String> ofProcesses() {
    return List.copyOf(ALL.keySet());
  }

  /** Returns the names of the workloads for clients that share a process. */
  static List<String> ofClients() {
    return ALL.keySet().stream().filter(name -> !name.equals(IN_BACKGROUND)).toList();
  }

  static Workload named(String name, World world) {
    return name.equals(BROKEN) ? new BrokenWorkload(world) : ALL.get(name).apply(world);
  }
}
