package io.lazuli.storage.hbase.requests;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import java.util.List;
import java.util.stream.Stream;

/** The processor time, in nanoseconds, of the processes that take part in a request. */
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
    return process.info().totalCpuDuration().orElseThrow().toNanos();
  }
}
