package io.lazuli.cluster.simulation;

import java.time.Duration;
import java.util.Map;

/**
 * The highest rate that a scenario serves in time, and what is used most then. The rate of an open
 * loop rises until requests are refused, fewer are served than come, or one in a hundred takes
 * longer than {@link #TIME_MAX}. A closed loop would say something else: with enough clients every
 * call is full, and each request waits for seconds.
 *
 * @param rate requests per second
 * @param result of the run at that rate
 */
record Capacity(double rate, Result result) {
  /** The time that 99 of 100 requests may take. */
  static final Duration TIME_MAX = Duration.ofMillis(50);

  private static final double FIRST = 0.4;
  private static final double STEP = 1.25;
  private static final int BISECTIONS = 3;
  private static final double SERVED = 0.97;

  /** The requests of a run, which determine the length of its window. */
  private static final double REQUESTS = 300_000;

  private static final double WINDOW_MAX = 2;
  private static final double WINDOW_MIN = 0.05;
  private static final double WARM_UP_MAX = 0.15;
  private static final double WARM_UP_MIN = 0.04;

  static Capacity of(Scenario scenario) {
    double rate = FIRST * estimate(scenario);
    Result good = run(scenario, rate);
    while (!isGood(good, rate)) {
      rate /= 2;
      good = run(scenario, rate);
    }
    double bad = rate * STEP;
    for (Result next = run(scenario, bad); isGood(next, bad); next = run(scenario, bad)) {
      rate = bad;
      good = next;
      bad *= STEP;
    }
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (rate + bad) / 2;
      Result result = run(scenario, middle);
      if (isGood(result, middle)) {
        rate = middle;
        good = result;
      } else {
        bad = middle;
      }
    }
    return new Capacity(rate, good);
  }

  /**
   * Returns the rate at which the region servers, or that of the hottest partition, would be busy
   * if no calls were shared.
   */
  private static double estimate(Scenario scenario) {
    double cost = 0;
    for (Map.Entry<Kind, Double> each : scenario.load().mix().entrySet()) {
      Costs.OfKind ofKind = scenario.costs().of(each.getKey());
      cost += each.getValue() * (ofKind.region() + ofKind.regionCall());
    }
    Scenario.Load load = scenario.load();
    double hottest = new Zipf(load.partitions(), load.exponent()).probability(1);
    double servers = Math.min(scenario.nodes().regionServers(), 1 / hottest);
    return servers * scenario.nodes().regionCores() * 1e9 / cost;
  }

  private static boolean isGood(Result result, double offered) {
    return result.refused() == 0
        && result.rate() > SERVED * offered
        && result.p99Millis() * 1e6 < TIME_MAX.toNanos();
  }

  private static Result run(Scenario scenario, double rate) {
    double window = Math.max(WINDOW_MIN, Math.min(WINDOW_MAX, REQUESTS / rate));
    double warmUp = Math.max(WARM_UP_MIN, Math.min(WARM_UP_MAX, REQUESTS / rate));
    return Run.open(scenario, rate, seconds(warmUp), seconds(window));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }

  /**
   * Returns what is used most at the highest rate. Beyond it everything is: refused calls are sent
   * again.
   */
  Result.Resource bottleneck() {
    return result.busiest();
  }
}
