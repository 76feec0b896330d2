package io.lazuli.cluster.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The clients of a cluster. In a closed loop, each sends its next request after the answer to the
 * last one. In an open loop, requests come at random times, whatever became of the earlier ones.
 * Used by one thread.
 */
final class Clients {
  private final SimulatedCluster cluster;
  private final SplittableRandom random;
  private final Scenario.Load load;
  private final Processor processor;
  private final Zipf zipf;
  private final List<Share> shares = new ArrayList<>();

  /** A kind of requests, and the end of its part of the numbers from 0 to 1. */
  private record Share(Kind kind, double upTo) {}

  private Histogram times = new Histogram();
  private long served;
  private long refused;
  private long started;
  private long longest;

  Clients(SimulatedCluster cluster) {
    this.cluster = cluster;
    this.random = cluster.random().split();
    this.processor = cluster.ofClients();
    this.load = cluster.scenario().load();
    this.zipf = new Zipf(load.partitions(), load.exponent());
    double sum = 0;
    for (Map.Entry<Kind, Double> each : new TreeMap<>(load.mix()).entrySet()) {
      sum += each.getValue();
      shares.add(new Share(each.getKey(), sum));
    }
  }

  /** Starts clients of a closed loop, each with its own Lazuli server. */
  void closed(int count) {
    for (int client = 0; client < count; client++) {
      Lazuli own = cluster.lazuli().get(client % cluster.lazuli().size());
      // They do not begin in step.
      cluster.events().after(random.nextLong(1_000_000), () -> sendAgain(own));
    }
  }

  private void sendAgain(Lazuli own) {
    long work = cluster.scenario().costs().client();
    send(
        own,
        () ->
            cluster
                .events()
                .after(
                    cluster.network(),
                    () ->
                        processor.run(
                            work,
                            () ->
                                cluster.events().after(cluster.network(), () -> sendAgain(own)))));
  }

  /** Starts an open loop with a number of requests per second. */
  void open(double rate) {
    double mean = 1e9 / rate;
    long gap = (long) (-Math.log(1 - random.nextDouble()) * mean);
    cluster
        .events()
        .after(
            gap,
            () -> {
              send(cluster.lazuli().get(random.nextInt(cluster.lazuli().size())), () -> {});
              open(rate);
            });
  }

  private void send(Lazuli to, Runnable after) {
    boolean hot = load.hot() > 0 && random.nextDouble() < load.hot();
    long partition = hot ? 1 : zipf.next(random);
    int account = (int) (partition % load.accounts());
    started++;
    to.receive(
        new Request(
            kind(),
            to,
            partition,
            account,
            (request, isServed) -> {
              long time = cluster.events().now() - request.came() + 2 * cluster.network();
              longest = Math.max(longest, time);
              if (isServed) {
                served++;
                times.add(time);
              } else {
                refused++;
              }
              after.run();
            }));
  }

  private Kind kind() {
    double place = random.nextDouble();
    for (Share share : shares) {
      if (place < share.upTo) {
        return share.kind;
      }
    }
    return shares.get(shares.size() - 1).kind;
  }

  Histogram times() {
    return times;
  }

  long served() {
    return served;
  }

  long refused() {
    return refused;
  }

  long started() {
    return started;
  }

  long longestNanos() {
    return longest;
  }

  void reset() {
    times = new Histogram();
    served = 0;
    refused = 0;
    started = 0;
    longest = 0;
  }
}
