package io.lazuli.cluster.simulation;

import java.time.Duration;

/** The settings of Lazuli and HBase that the model uses, with their defaults. */
final class Bounds {
  /** {@code lazuli.server.calls}: the number of calls under way at each region server. */
  static final int CALLS = 128;

  /** {@code lazuli.server.queued}. */
  static final int QUEUED = 4_096;

  /** Pages of scans have a lane of their own ({@code RegionServers.PAGES}). */
  static final int PAGES = 8;

  static final int PAGES_QUEUED = 1_024;

  /** Decision 0020 and {@code CallLane}. */
  static final int ROWS_TOGETHER = 64;

  static final int ROWS_FIRST = 16;
  static final int ROWS_FEW = 4;
  static final long GATHER = Duration.ofMillis(5).toNanos();
  static final long SLOW_BATCH = Duration.ofMillis(50).toNanos();
  static final long SWEEP = Duration.ofMillis(50).toNanos();

  /** Decision 0021 and {@code GatherRule}. */
  static final int COMMITS_TOGETHER = 64;

  static final int COMMIT_ROWS_TOGETHER = 256;

  /** {@code lazuli.lease.millis}; a lease is renewed after a third of it. */
  static final long LEASE = Duration.ofSeconds(1).toNanos();

  /** HBase's client sends as many look-ups of a table at the same time. */
  static final int LOOK_UPS = 8;

  /** The pause after a failed call; it doubles with each further one ({@code RegionCalls}). */
  static final long RETRY_MIN = Duration.ofMillis(20).toNanos();

  static final long RETRY_SPREAD = Duration.ofMillis(30).toNanos();
  static final int RETRY_DOUBLINGS = 3;

  /** The pause of HBase's client before it repeats a look-up ({@code hbase.client.pause}). */
  static final long LOOK_UP_PAUSE = Duration.ofMillis(100).toNanos();

  /** A request that takes longer fails with 503. */
  static final long DEADLINE = Duration.ofSeconds(30).toNanos();

  /** {@code hbase.regionserver.handler.count}. */
  static final int HANDLERS = 30;

  /** {@code hbase.ipc.server.max.callqueue.length}, for each handler. */
  static final int CALLS_OF_A_HANDLER = 10;

  /** {@code zookeeper.session.timeout} as operations.md advises. */
  static final long SESSION = Duration.ofSeconds(10).toNanos();

  /**
   * From the end of the session until the regions are open elsewhere: what was measured on HDFS
   * (docs/operations.md, cost of faults: 15.5 s in all).
   */
  static final long RECOVERY = Duration.ofMillis(5_500).toNanos();

  /** {@code lazuli.balance.operations.per.hour}. */
  static final int OPERATIONS_PER_HOUR = 60;

  /** So many servers take part in background work at most ({@code WorkLeases}). */
  static final int WORKERS = 64;

  /** Decision 0082: a scan, a read and a commit. */
  static final double CALLS_OF_A_BEAT = 3;

  static final double BEAT_SECONDS = 5;

  /** The samples that a server reports for a table in a round of ten seconds (decision 0083). */
  static final int SAMPLES = 1_024;

  private Bounds() {}
}
