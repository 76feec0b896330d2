package io.lazuli.storage.hbase.requests;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The processor time, in nanoseconds, of the processes that take part in a request. On Linux,
 * without that of the JIT compilers: on a busy machine they go on for minutes, on both sides, and
 * their work does not depend on the number of requests.
 */
record ProcessorTime(long self, long servers, long regionServers) {
  /**
   * The time that each thread had used at some moment. A process without threads that can be seen
   * counts as one.
   */
  record Snapshot(
      Map<String, Long> self, Map<String, Long> servers, Map<String, Long> regionServers) {
    ProcessorTime since(Snapshot earlier) {
      return new ProcessorTime(
          sum(self, earlier.self),
          sum(servers, earlier.servers),
          sum(regionServers, earlier.regionServers));
    }

    /** The time of a thread that has ended is lost, which is better than to subtract all of it. */
    private static long sum(Map<String, Long> now, Map<String, Long> earlier) {
      return now.entrySet().stream()
          .mapToLong(each -> each.getValue() - earlier.getOrDefault(each.getKey(), 0L))
          .sum();
    }
  }

  static Snapshot now(Cluster cluster, List<TestAccount> servers) {
    return new Snapshot(
        times(Stream.of(ProcessHandle.current())),
        times(handles(servers.stream().map(each -> each.server().process()))),
        times(handles(cluster.regionServers().stream())));
  }

  /** Subtracts what the processes use while no request runs. */
  ProcessorTime without(ProcessorTime idle) {
    return new ProcessorTime(self, servers - idle.servers, regionServers - idle.regionServers);
  }

  /** Returns the share of a part of the time, and of a part of the servers. */
  ProcessorTime share(double time, double ofServers) {
    return new ProcessorTime(
        (long) (self * time), (long) (servers * time * ofServers), (long) (regionServers * time));
  }

  private static Stream<ProcessHandle> handles(Stream<ClusterProcess> processes) {
    return processes.map(process -> ProcessHandle.of(process.pid()).orElseThrow());
  }

  private static Map<String, Long> times(Stream<ProcessHandle> processes) {
    Map<String, Long> times = new HashMap<>();
    processes.forEach(process -> addTo(times, process));
    return times;
  }

  private static void addTo(Map<String, Long> times, ProcessHandle process) {
    Path threads = Path.of("/proc", String.valueOf(process.pid()), "task");
    if (!Files.isDirectory(threads)) {
      long all = process.info().totalCpuDuration().orElseThrow().toNanos();
      times.put(String.valueOf(process.pid()), all);
      return;
    }
    try (Stream<Path> all = Files.list(threads)) {
      all.forEach(thread -> times.put(thread.toString(), nanos(thread)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the time of a thread; 0 if it has ended or compiles. */
  private static long nanos(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).contains(" CompilerThre")
          ? 0
          : Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", 2)[0]);
    } catch (IOException e) {
      return 0;
    }
  }
}
