package io.lazuli.cluster.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** One run of a scenario. Used by one thread. */
final class Run {
  /** Above this part of its load, one partition or the homes are what makes a server hot. */
  private static final double MOST = 0.5;

  /** If the mean is below this part of the highest, one server is hot. */
  private static final double EVEN = 0.8;

  private final SimulatedCluster cluster;
  private final Clients clients;

  private Run(Scenario scenario) {
    cluster = new SimulatedCluster(scenario);
    clients = new Clients(cluster);
  }

  /** Runs a closed loop. */
  static Result closed(Scenario scenario, int count, Duration warmUp, Duration window) {
    Run run = new Run(scenario);
    run.clients.closed(count);
    return run.measure(warmUp, window);
  }

  /** Runs an open loop. */
  static Result open(Scenario scenario, double rate, Duration warmUp, Duration window) {
    Run run = new Run(scenario);
    run.clients.open(rate);
    return run.measure(warmUp, window);
  }

  private Result measure(Duration warmUp, Duration window) {
    cluster.events().run(warmUp.toNanos());
    cluster.reset();
    clients.reset();
    cluster.events().run(warmUp.plus(window).toNanos());
    double seconds = window.toNanos() / 1e9;
    long[] counts = new long[4];
    for (Lazuli each : cluster.lazuli()) {
      long[] own = each.counts();
      for (int i = 0; i < counts.length; i++) {
        counts[i] += own[i];
      }
    }
    long calls = cluster.regionServers().stream().mapToLong(RegionServer::calls).sum();
    return new Result(
        clients.served() / seconds,
        clients.refused() / seconds,
        clients.times(),
        clients.longestNanos() / 1e6,
        resources(window.toNanos()),
        counts[0] == 0 ? 0 : (double) counts[1] / counts[0],
        counts[2] == 0 ? 0 : (double) counts[3] / counts[2],
        calls / seconds,
        cluster.lookUps() / seconds,
        cluster.metaServer().processor().utilisation());
  }

  private List<Result.Resource> resources(long windowNanos) {
    List<RegionServer> alive =
        cluster.regionServers().stream().filter(each -> !each.isDead()).toList();
    List<Result.Resource> all = new ArrayList<>();
    all.add(processors(alive));
    all.add(
        resource("processors of Lazuli", cluster.lazuli(), each -> each.processor().utilisation()));
    all.add(resource("data nodes", cluster.dataNodes(), Processor::utilisation));
    all.add(resource("handlers of region servers", alive, RegionServer::handlerUtilisation));
    all.add(resource("calls to one region server", cluster.lazuli(), e -> e.fullPart(windowNanos)));
    return all;
  }

  /** Returns the processors of the region servers, with what makes the hottest one hot. */
  private static Result.Resource processors(List<RegionServer> alive) {
    RegionServer hottest = alive.get(0);
    for (RegionServer each : alive) {
      boolean hotter = each.processor().utilisation() > hottest.processor().utilisation();
      hottest = hotter ? each : hottest;
    }
    Result.Resource all =
        resource("processors of region servers", alive, each -> each.processor().utilisation());
    String why = "processors of region servers";
    if (all.mean() < EVEN * all.utilisation()) {
      why =
          hottest.hotPart() > MOST
              ? "hottest partition"
              : hottest.ownPart() > MOST ? "homes and hbase:meta" : "one region server";
    }
    return new Result.Resource(why, all.utilisation(), all.mean());
  }

  private static <T> Result.Resource resource(
      String name, List<T> all, ToDoubleFunction<T> utilisation) {
    return new Result.Resource(
        name,
        all.stream().mapToDouble(utilisation).max().orElse(0),
        all.stream().mapToDouble(utilisation).average().orElse(0));
  }
}
