package io.lazuli.cluster.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A Lazuli server: its processor, its lanes to each region server, the commits that it gathers, and
 * what it knows about homes and regions. Used by one thread.
 */
final class Lazuli {
  private final SimulatedCluster cluster;
  private final Processor processor;
  private final Homes homes;
  private final LookUps lookUps;
  private final SplittableRandom random;
  private final @Nullable Lane[] gets;
  private final @Nullable Lane[] writes;
  private final @Nullable Lane[] pages;
  private final Map<Integer, RegionCommits> commits = new HashMap<>();
  private final Map<Long, QueueTransactions> queues = new HashMap<>();
  private long readCalls;
  private long reads;
  private long writeCalls;
  private long writtenOperations;

  Lazuli(SimulatedCluster cluster, Processor processor, int accounts, SplittableRandom random) {
    this.cluster = cluster;
    this.processor = processor;
    this.random = random;
    this.homes = new Homes(this, accounts);
    this.lookUps = new LookUps(this);
    int servers = cluster.scenario().nodes().regionServers();
    this.gets = new @Nullable Lane[servers];
    this.writes = new @Nullable Lane[servers];
    this.pages = new @Nullable Lane[servers];
  }

  /** Receives a request. */
  void receive(Request request) {
    processor.run(costs(request.kind()).lazuli() / 2, request::begin);
  }

  /** Makes the answer to a request, and sends it. */
  void answer(Request request) {
    processor.run(
        costs(request.kind()).lazuli() - costs(request.kind()).lazuli() / 2, request::end);
  }

  private Costs.OfKind costs(Kind kind) {
    return cluster.scenario().costs().of(kind);
  }

  /** Sends a read by key, now or with others. */
  void read(int region, Step step) {
    lane(gets, region, Bounds.CALLS, Bounds.QUEUED, Bounds.ROWS_TOGETHER).submit(step);
  }

  /** Sends a read of a page. */
  void readPage(int region, Step step) {
    lane(pages, region, Bounds.PAGES, Bounds.PAGES_QUEUED, 1).submit(step);
  }

  /** Sends a call with commits. */
  void write(int region, Step step) {
    lane(writes, region, Bounds.CALLS, Bounds.QUEUED, 1).submit(step);
  }

  private Lane lane(@Nullable Lane[] lanes, int region, int sent, int queued, int rows) {
    int number = lookUps.serverOf(region);
    Lane known = lanes[number];
    if (known == null) {
      known = new Lane(this, cluster.regionServer(number), sent, queued, rows);
      lanes[number] = known;
    }
    return known;
  }

  /** Commits, now or with others of the region. */
  void commit(int region, RegionCommits.Commit commit) {
    commits.computeIfAbsent(region, first -> new RegionCommits(this)).submit(commit, region);
  }

  /** Forgets the commits of a region for which none waits. */
  void forgetCommits(int region) {
    commits.remove(region);
  }

  void forgetQueue(long partition) {
    queues.remove(partition);
  }

  QueueTransactions queue(long partition, int region) {
    return queues.computeIfAbsent(
        partition, first -> new QueueTransactions(this, region, partition));
  }

  /** Makes a remote call for several steps. */
  void call(RegionServer server, List<Step> batch, Runnable answered, Runnable failed) {
    Step first = batch.get(0);
    long work = costs(first.kind()).regionCall();
    int hot = 0;
    int operations = 0;
    for (Step step : batch) {
      work += step.work();
      hot += step.hotOperations();
      operations += step.operations();
    }
    long own = first.table() == Step.Table.CATALOG ? work : 0;
    if (first.isWrite()) {
      writeCalls++;
      writtenOperations += operations;
    } else if (first.table() == Step.Table.DATA && first.kind() == Kind.GET) {
      readCalls++;
      reads += operations;
    }
    Call call = new Call(work, work * hot / operations, own, first.isWrite(), answered, failed);
    events().after(cluster.network(), () -> server.receive(call));
  }

  /** Does what follows the answer to a call. */
  void answered(List<Step> batch) {
    processor.run(costs(batch.get(0).kind()).lazuliCall(), () -> batch.forEach(Step::answered));
  }

  /** Tries something again after a pause and a look-up of its region. */
  void retry(int attempt, int region, Runnable again) {
    long pause = Bounds.RETRY_MIN + random.nextLong(Bounds.RETRY_SPREAD);
    int doublings = Math.min(Bounds.RETRY_DOUBLINGS, attempt - 1);
    events().after(pause << doublings, () -> lookUps.find(region, again));
  }

  Homes homes() {
    return homes;
  }

  SimulatedCluster cluster() {
    return cluster;
  }

  Events events() {
    return cluster.events();
  }

  Processor processor() {
    return processor;
  }

  long[] counts() {
    return new long[] {readCalls, reads, writeCalls, writtenOperations};
  }

  /** Returns the largest part of a window in which a lane was full. */
  double fullPart(long windowNanos) {
    double highest = 0;
    for (Lane[] lanes : new @Nullable Lane[][] {gets, writes, pages}) {
      for (Lane lane : lanes) {
        highest = Math.max(highest, lane == null ? 0 : lane.fullPart(windowNanos));
      }
    }
    return highest;
  }

  void reset() {
    processor.usage().reset();
    readCalls = 0;
    reads = 0;
    writeCalls = 0;
    writtenOperations = 0;
    for (Lane[] lanes : new @Nullable Lane[][] {gets, writes, pages}) {
      for (Lane lane : lanes) {
        if (lane != null) {
          lane.reset();
        }
      }
    }
  }
}
