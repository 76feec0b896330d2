package io.lazuli.storage.hbase.requests;

import io.lazuli.storage.hbase.requests.SpreadTable.Mix;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * The costs that feed the model of a cluster, from turns with one region server. The cost of an
 * operation is a line over the calls that it takes: its own, and its share of a call. Turns with
 * different numbers of clients give the line. All costs are processor time, never rates.
 */
final class Calibration {
  private static final double MICROS = 1e6;
  static final String IDLE = "idle";
  static final String ALONE = "alone";
  static final String UNDER_LOAD = "calibration";

  private final List<MeasuredTurn> turns;

  Calibration(List<MeasuredTurn> turns) {
    this.turns = turns;
  }

  /** Returns the costs in the form of the file that the model reads: microseconds. */
  Properties costs(Mix getMix, Mix insertMix, Mix queryMix, Mix batchMix) {
    String gets = getMix.toString();
    String inserts = insertMix.toString();
    Properties costs = new Properties();
    kind(costs, "get", gets, 1);
    kind(costs, "insert", inserts, 1);
    kind(costs, "query", queryMix.toString(), 1);
    kind(costs, "batch", batchMix.toString(), 1);
    // A turn counts a put, a get and a delete as one.
    kind(costs, "queue", "queue", 3);
    double region = median(is(IDLE, gets), turn -> turn.sum("rs") / 3);
    double lazuli = median(is(IDLE, gets), turn -> turn.sum("lazuli") / 2);
    put(costs, "idle.region", region);
    put(costs, "idle.lazuli", lazuli);
    double dataNode =
        median(is(ALONE, inserts), turn -> (turn.sum("dn") - idle("dn")) / 3 / turn.rate());
    put(costs, "data.node", dataNode * MICROS);
    put(
        costs,
        "client",
        MICROS * median(is(UNDER_LOAD, gets), turn -> turn.figure("client") / turn.rate()));
    double ofGet = 1e3 * median(is(ALONE, gets), turn -> turn.figure("p50"));
    double network = Math.max(0, (ofGet - whole(costs, "get")) / 4);
    put(costs, "network", network);
    double ofInsert = 1e3 * median(is(ALONE, inserts), turn -> turn.figure("p50"));
    put(
        costs,
        "log",
        Math.max(0, ofInsert - whole(costs, "insert") - 4 * network - dataNode * MICROS));
    return costs;
  }

  /** Returns the processor time of an operation that shares no call. */
  private static double whole(Properties costs, String kind) {
    double sum = 0;
    for (String part : List.of(".region", ".region.call", ".lazuli", ".lazuli.call")) {
      sum += Double.parseDouble(costs.getProperty(kind + part));
    }
    return sum;
  }

  private void kind(Properties costs, String kind, String mix, int operations) {
    line(costs, kind + ".region", mix, "rs", operations);
    line(costs, kind + ".lazuli", mix, "lazuli", operations);
  }

  /** Fits a line through the medians of the turns with each number of clients. */
  private void line(Properties costs, String name, String mix, String process, int operations) {
    List<Integer> clients =
        turns.stream()
            .filter(is(UNDER_LOAD, mix))
            .map(MeasuredTurn::clients)
            .distinct()
            .sorted()
            .toList();
    double idle = idle(process);
    double idleCalls = idle("calls");
    double[] x = new double[clients.size()];
    double[] y = new double[clients.size()];
    for (int i = 0; i < x.length; i++) {
      int count = clients.get(i);
      Predicate<MeasuredTurn> same = is(UNDER_LOAD, mix).and(turn -> turn.clients() == count);
      x[i] = median(same, turn -> (turn.sum("calls") - idleCalls) / turn.rate()) / operations;
      y[i] = median(same, turn -> (turn.sum(process) - idle) / turn.rate()) / operations * MICROS;
    }
    double[] line = line(x, y);
    put(costs, name, line[0]);
    put(costs, name + ".call", line[1]);
  }

  /** Returns the line with the smallest relative errors; neither number is negative. */
  private static double[] line(double[] x, double[] y) {
    double w = 0;
    double wx = 0;
    double wxx = 0;
    double wy = 0;
    double wxy = 0;
    for (int i = 0; i < x.length; i++) {
      double weight = 1 / (y[i] * y[i]);
      w += weight;
      wx += weight * x[i];
      wxx += weight * x[i] * x[i];
      wy += weight * y[i];
      wxy += weight * x[i] * y[i];
    }
    double spread = wxx / w - wx / w * (wx / w);
    double slope = spread < 0.001 ? 0 : (wxy / w - wx / w * (wy / w)) / spread;
    double bounded = Math.max(0, Math.min(slope, wxy / wxx));
    return new double[] {Math.max(0, (wy - bounded * wx) / w), bounded};
  }

  private double idle(String process) {
    return median(turn -> turn.name().equals(IDLE), turn -> turn.sum(process));
  }

  private static Predicate<MeasuredTurn> is(String name, String mix) {
    return turn -> turn.name().equals(name) && turn.mix().equals(mix);
  }

  private double median(Predicate<MeasuredTurn> which, ToDoubleFunction<MeasuredTurn> figure) {
    return MeasuredTurn.median(turns.stream().filter(which).toList(), figure);
  }

  private static void put(Properties costs, String name, double value) {
    costs.setProperty(name, String.format(Locale.ROOT, "%.4f", value));
  }
}
