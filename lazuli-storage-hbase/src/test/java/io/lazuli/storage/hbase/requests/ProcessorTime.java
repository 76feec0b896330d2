package io.lazuli.storage.hbase.requests;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The processor time, in nanoseconds, of the processes that take part in a request. On Linux,
 * without that of the JIT compilers: on a busy machine they go on for minutes, on both sides, and
 * their work does not depend on the number of requests.
 */
record ProcessorTime(long self, long servers, long regionServers) {
  static ProcessorTime now(Cluster cluster, List<TestAccount> servers) {
    return new ProcessorTime(
        nanos(ProcessHandle.current()),
        sum(servers.stream().map(each -> each.server().process())),
        sum(cluster.regionServers().stream()));
  }

  ProcessorTime since(ProcessorTime earlier) {
    return new ProcessorTime(
        self - earlier.self, servers - earlier.servers, regionServers - earlier.regionServers);
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

  private static long sum(Stream<ClusterProcess> processes) {
    return processes
        .mapToLong(process -> nanos(ProcessHandle.of(process.pid()).orElseThrow()))
        .sum();
  }

  private static long nanos(ProcessHandle process) {
    Path threads = Path.of("/proc", String.valueOf(process.pid()), "task");
    if (!Files.isDirectory(threads)) {
      return process.info().totalCpuDuration().orElseThrow().toNanos();
    }
    try (Stream<Path> all = Files.list(threads)) {
      return all.mapToLong(ProcessorTime::nanos).sum();
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
