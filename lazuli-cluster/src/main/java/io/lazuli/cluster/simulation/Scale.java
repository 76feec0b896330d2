package io.lazuli.cluster.simulation;

import io.lazuli.cluster.simulation.Scenario.Faults;
import io.lazuli.cluster.simulation.Scenario.Load;
import io.lazuli.cluster.simulation.Scenario.Nodes;
import io.lazuli.cluster.simulation.Scenario.Pauses;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints the tables of docs/scale.md: the name of a table, then the numbers of region servers. The
 * same arguments print the same text.
 */
public final class Scale {
  /** What clients do: mostly reads by key. An assumption. */
  static final Map<Kind, Double> MIX =
      Map.of(
          Kind.GET, 0.65,
          Kind.INSERT, 0.2,
          Kind.QUERY, 0.05,
          Kind.BATCH, 0.02,
          Kind.QUEUE, 0.08);

  private static final long SEED = Long.getLong("scale.seed", 1);

  /** From one machine to another and back twice as much. An assumption. */
  private static final Duration NETWORK = Duration.ofNanos(100_000);

  /** The machine on which costs were measured had two cores. */
  private static final int CORES = 2;

  /** {@code lazuli} shows that more do not help. */
  private static final double LAZULI_FOR_EACH = 1;

  private static final long PARTITIONS_OF_A_SERVER = 10_000;
  private static final double[] EXPONENTS = {0.6, 0.99, 1.2};

  /** The part of the highest rate at which times are shown. */
  private static final double USUAL = 0.7;

  /** Requests per second and region server while one is lost. */
  private static final double LOSS_RATE = Integer.getInteger("scale.loss.rate", 200);

  private static final double REQUESTS =
      Double.parseDouble(System.getProperty("scale.requests", "4e6"));

  private final PrintStream out;

  private Scale(PrintStream out) {
    this.out = out;
  }

  /**
   * Prints a table.
   *
   * @param arguments {@code throughput}, {@code lazuli}, {@code pauses}, {@code loss} or {@code
   *     counts}, and numbers of region servers; all tables for 10 and 100 without any
   */
  public static void main(String[] arguments) {
    List<String> tables =
        arguments.length == 0
            ? List.of("lazuli", "throughput", "pauses", "loss", "counts")
            : List.of(arguments[0]);
    int[] servers =
        arguments.length < 2
            ? new int[] {10, 100}
            : Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray();
    Scale scale = new Scale(System.out);
    for (String table : tables) {
      for (int count : servers) {
        scale.print(table, count);
      }
    }
  }

  private void print(String table, int servers) {
    switch (table) {
      case "throughput" -> throughput(servers);
      case "lazuli" -> lazuli(servers);
      case "pauses" -> pauses(servers);
      case "loss" -> loss(servers);
      case "counts" -> counts(servers);
      default -> throw new IllegalArgumentException("no table " + table);
    }
  }

  static Scenario scenario(int servers, double exponent) {
    int lazuli = (int) Math.ceil(servers * LAZULI_FOR_EACH);
    return new Scenario(
        new Nodes(servers, CORES, lazuli, CORES),
        new Load(MIX, servers * PARTITIONS_OF_A_SERVER, exponent, 0, servers, true),
        Faults.NONE,
        Costs.measured().withNetwork(NETWORK.toNanos()),
        SEED);
  }

  private void row(String format, Object... values) {
    out.printf(Locale.ROOT, format + "%n", values);
    out.flush();
  }

  /** Prints the highest rates, before and after the balancer has moved regions. */
  private void throughput(int servers) {
    for (double exponent : EXPONENTS) {
      Scenario scenario = scenario(servers, exponent);
      Balance balance = new Balance(scenario.nodes(), scenario.load());
      double before = balance.imbalance();
      balance.balance();
      int operations = balance.moves() + balance.splits();
      double hottest = new Zipf(scenario.load().partitions(), exponent).probability(1);
      Capacity capacity = Capacity.of(scenario);
      Result usual = open(scenario, USUAL * capacity.rate());
      Result.Resource busiest = capacity.bottleneck();
      row(
          "| %d | %.2f | %.2f %% | %.1f → %.1f | %d | %.1f | %,.0f | %,.0f | %.1f | %.1f | %s, %.0f %% (mean %.0f %%) |",
          servers,
          exponent,
          100 * hottest,
          before,
          balance.imbalance(),
          operations,
          (double) operations / Bounds.OPERATIONS_PER_HOUR,
          capacity.rate(),
          capacity.rate() / servers,
          usual.p50Millis(),
          usual.p99Millis(),
          busiest.name(),
          100 * busiest.utilisation(),
          100 * busiest.mean());
      others(capacity.result());
    }
  }

  private void others(Result result) {
    StringBuilder text = new StringBuilder("    ");
    for (Result.Resource each : result.resources()) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s %.0f %% (%.0f %%); ",
              each.name(),
              100 * each.utilisation(),
              100 * each.mean()));
    }
    row(
        "%s rows per read %.1f, operations per write %.1f, calls per request %.2f",
        text, result.rowsPerRead(), result.operationsPerWrite(), result.callRate() / result.rate());
  }

  private static Result open(Scenario scenario, double rate) {
    double seconds = Math.max(0.05, Math.min(20, REQUESTS / 4 / rate));
    return Run.open(
        scenario, rate, Duration.ofMillis(100), Duration.ofNanos((long) (seconds * 1e9)));
  }

  /** Prints the highest rates with different numbers of Lazuli servers. */
  private void lazuli(int servers) {
    for (double each : new double[] {0.5, 0.75, 1, 1.5, 2, 3}) {
      Scenario base = scenario(servers, 0.6);
      Nodes nodes = new Nodes(servers, CORES, (int) Math.ceil(servers * each), CORES);
      Capacity capacity = Capacity.of(base.with(nodes));
      row(
          "| %d | %d | %,.0f | %s |",
          servers, nodes.lazuli(), capacity.rate(), capacity.bottleneck().name());
      others(capacity.result());
    }
  }

  /** Prints times with pauses, at the same part of the highest rate. */
  private void pauses(int servers) {
    Scenario calm = scenario(servers, 0.6);
    double rate = USUAL * Capacity.of(calm).rate();
    Pauses often = new Pauses(Duration.ofSeconds(5), Duration.ofMillis(50));
    Pauses rare = new Pauses(Duration.ofMinutes(10), Duration.ofSeconds(1));
    pauses(calm, "none", rate);
    pauses(calm.with(new Faults(often, Pauses.NONE, Duration.ZERO, 0)), "region 50 ms", rate);
    pauses(calm.with(new Faults(Pauses.NONE, often, Duration.ZERO, 0)), "Lazuli 50 ms", rate);
    pauses(calm.with(new Faults(often, often, Duration.ZERO, 0)), "both 50 ms", rate);
    pauses(calm.with(new Faults(rare, rare, Duration.ZERO, 0)), "both 1 s", rate);
  }

  private void pauses(Scenario scenario, String name, double rate) {
    double seconds = Math.max(0.5, Math.min(60, REQUESTS / rate));
    Result result =
        Run.open(scenario, rate, Duration.ofMillis(200), Duration.ofNanos((long) (seconds * 1e9)));
    row(
        "| %d | %s | %,.0f | %.1f | %.1f | %.1f | %.0f | %.0f | %.1f |",
        scenario.nodes().regionServers(),
        name,
        result.rate(),
        result.p50Millis(),
        result.p99Millis(),
        result.p999Millis(),
        result.longestMillis(),
        result.refused(),
        seconds);
  }

  /** Prints what happens when a region server dies. */
  private void loss(int servers) {
    Scenario many = scenario(servers, 0.6);
    Load load = many.load();
    Scenario one = many.with(new Load(load.mix(), load.partitions(), load.exponent(), 0, 1, true));
    int some = servers / 2;
    loss(many, "an account for each server", some);
    loss(one, "one account; its home is elsewhere", some);
    loss(one, "one account; its home is on it", servers - 1);
    loss(many, "hbase:meta is on it", 0);
  }

  private void loss(Scenario scenario, String name, int lost) {
    Faults faults = new Faults(Pauses.NONE, Pauses.NONE, Duration.ofSeconds(2), lost);
    int servers = scenario.nodes().regionServers();
    // From the loss until all is well again.
    Result result =
        Run.open(
            scenario.with(faults),
            LOSS_RATE * servers,
            Duration.ofSeconds(2),
            Duration.ofSeconds(18));
    row(
        "| %d | %s | %,.0f | %.2f %% | %.1f | %.0f | %,.0f | %.0f %% |",
        servers,
        name,
        result.rate(),
        100 * result.times().partAbove(Duration.ofSeconds(1).toNanos()),
        result.longestMillis() / 1e3,
        result.refused(),
        result.lookUps(),
        100 * result.meta());
  }

  /** Prints what follows from the settings alone. */
  private void counts(int servers) {
    Scenario scenario = scenario(servers, 0.6);
    int lazuli = scenario.nodes().lazuli();
    double renewals = 3.0 * lazuli;
    double ofServer = renewals * scenario.costs().lookUp() / 1e9;
    int workers = Math.min(lazuli, Bounds.WORKERS);
    row(
        "| %d | %d | %,d | %,d | %,.0f | %.2f | %,.0f | %,d |",
        servers,
        lazuli,
        servers,
        (long) servers * lazuli,
        renewals,
        ofServer,
        workers * Bounds.CALLS_OF_A_BEAT / Bounds.BEAT_SECONDS,
        (long) lazuli * Bounds.SAMPLES);
  }
}
