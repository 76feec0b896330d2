package io.lazuli.benchmarks.report;

import io.lazuli.benchmarks.load.LoadResult;

/**
 * The figures of one round.
 *
 * @param entitiesPerRequest the number of entities that a request writes or reads, for figures per
 *     entity
 */
public record Sample(
    long requests,
    long entitiesPerRequest,
    double seconds,
    double serverCpuSeconds,
    double driverCpuSeconds,
    double p50Millis,
    double p99Millis) {

  public static Sample of(LoadResult load, long entitiesPerRequest) {
    return of(load, load.requests(), entitiesPerRequest);
  }

  /**
   * Creates a sample for work that takes several requests, such as reading a table page by page.
   */
  public static Sample of(LoadResult load, long requests, long entitiesPerRequest) {
    return new Sample(
        requests,
        entitiesPerRequest,
        load.elapsedNanos() / 1e9,
        load.serverCpuNanos() / 1e9,
        load.driverCpuNanos() / 1e9,
        load.latency().getValueAtPercentile(50) / 1e3,
        load.latency().getValueAtPercentile(99) / 1e3);
  }

  public double requestsPerSecond() {
    return requests / seconds;
  }

  public double entitiesPerSecond() {
    return entities() / seconds;
  }

  /** Returns the server CPU per request. */
  public double cpuMicros() {
    return serverCpuSeconds * 1e6 / requests;
  }

  public double entitiesPerCpuSecond() {
    return entities() / serverCpuSeconds;
  }

  private double entities() {
    return (double) requests * entitiesPerRequest;
  }
}
