package io.lazuli.cluster.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Which region server has each region. It begins with the same number on all servers. {@link
 * #balance} then does what Lazuli's balancer does in the end (decision 0083), in a simpler form: it
 * knows the true load instead of samples, it does one operation after another, and HBase's own
 * balancer undoes nothing. Used by one thread.
 */
final class Balance {
  /** A server above this multiple of the mean is too hot ({@code NodePlan.TOO_HOT}). */
  private static final double TOO_HOT = 1.25;

  /** {@code NodePlan.GAIN}. */
  private static final double GAIN = 0.1;

  /** {@code NodePlan.WORTH_A_MOVE}. */
  private static final double WORTH_A_MOVE = 0.02;

  /** A partition with more than this part of a region's load cannot be relieved by a split. */
  private static final double ALONE = 0.8;

  /** The partitions that are looked at one by one; the others are spread evenly. */
  private static final int RANKS = 50_000;

  /** A cut in the middle of a region is two splits. */
  private static final int SPLITS_OF_A_CUT = 2;

  private final int servers;
  private final int regions;
  private final boolean even;
  private final double[] ofRank;
  private final double[] ofRegion;
  private final double[] ofServer;
  private final int[] regionOfRank;
  private final List<Integer> serverOfRegion = new ArrayList<>();
  private final List<Double> load = new ArrayList<>();
  private final List<List<Integer>> ranksOfRegion = new ArrayList<>();
  private int moves;
  private int splits;

  Balance(Scenario.Nodes nodes, Scenario.Load wanted) {
    servers = nodes.regionServers();
    regions = servers * nodes.regionsEach();
    even = wanted.exponent() == 0;
    int ranks = (int) Math.min(RANKS, wanted.partitions());
    ofRank = new double[ranks];
    ofRegion = new double[regions];
    ofServer = new double[servers];
    regionOfRank = new int[ranks];
    Zipf zipf = new Zipf(wanted.partitions(), wanted.exponent());
    double whole = zipf.sum(wanted.partitions());
    double rest = 1;
    for (int rank = 0; rank < ranks; rank++) {
      double part = Math.pow(rank + 1, -wanted.exponent()) / whole * (1 - wanted.hot());
      ofRank[rank] = part + (rank == 0 ? wanted.hot() : 0);
      rest -= ofRank[rank];
      regionOfRank[rank] = hashed(rank + 1);
      ofRegion[regionOfRank[rank]] += ofRank[rank];
    }
    for (int region = 0; region < regions; region++) {
      load.add(ofRegion[region] + Math.max(0, rest) / regions);
      serverOfRegion.add(region % servers);
      ofServer[region % servers] += load.get(region);
      ranksOfRegion.add(new ArrayList<>());
    }
    for (int rank = 0; rank < ranks; rank++) {
      ranksOfRegion.get(regionOfRank[rank]).add(rank);
    }
  }

  private int hashed(long partition) {
    if (even) {
      return (int) ((partition - 1) % regions);
    }
    long z = partition * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return (int) (((z ^ (z >>> 31)) >>> 1) % regions);
  }

  /** Returns the region of a partition, which is named by its rank from 1. */
  int regionOf(long partition) {
    return partition <= regionOfRank.length ? regionOfRank[(int) partition - 1] : hashed(partition);
  }

  int[] serverOfRegions() {
    return serverOfRegion.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns how much more than the mean the hottest server has. */
  double imbalance() {
    return Arrays.stream(ofServer).max().orElse(0) * servers;
  }

  int moves() {
    return moves;
  }

  int splits() {
    return splits;
  }

  /** Moves and splits regions until no server is too hot, or nothing helps. */
  void balance() {
    boolean[] hopeless = new boolean[servers];
    double mean = 1.0 / servers;
    for (int hot = hottest(hopeless); ofServer[hot] > TOO_HOT * mean; hot = hottest(hopeless)) {
      if (hopeless[hot] || !relieve(hot, mean)) {
        if (hopeless[hot]) {
          return;
        }
        hopeless[hot] = true;
      }
    }
  }

  /** Returns the hottest server for which something may help; any if there is none. */
  private int hottest(boolean[] hopeless) {
    int best = 0;
    double highest = -1;
    for (int server = 0; server < servers; server++) {
      if (!hopeless[server] && ofServer[server] > highest) {
        highest = ofServer[server];
        best = server;
      }
    }
    return best;
  }

  private boolean relieve(int hot, double mean) {
    int cool = 0;
    for (int server = 1; server < servers; server++) {
      cool = ofServer[server] < ofServer[cool] ? server : cool;
    }
    int best = -1;
    int hottest = -1;
    double lowest = Double.MAX_VALUE;
    for (int region = 0; region < load.size(); region++) {
      if (serverOfRegion.get(region) != hot) {
        continue;
      }
      double moved = load.get(region);
      hottest = hottest < 0 || moved > load.get(hottest) ? region : hottest;
      boolean helps = ofServer[cool] + moved < ofServer[hot] - GAIN * mean;
      double after = Math.max(ofServer[hot] - moved, ofServer[cool] + moved);
      if (moved > WORTH_A_MOVE * mean && helps && after < lowest) {
        lowest = after;
        best = region;
      }
    }
    if (best >= 0) {
      move(best, cool);
      return true;
    }
    return hottest >= 0 && split(hottest);
  }

  private void move(int region, int server) {
    ofServer[serverOfRegion.get(region)] -= load.get(region);
    ofServer[server] += load.get(region);
    serverOfRegion.set(region, server);
    moves++;
  }

  /** Gives the most used partition of a region a region of its own, on the same server. */
  private boolean split(int region) {
    int top =
        ranksOfRegion.get(region).stream()
            .max(Comparator.comparingDouble(rank -> ofRank[rank]))
            .orElse(-1);
    if (top < 0 || ofRank[top] > ALONE * load.get(region)) {
      return false;
    }
    int own = load.size();
    load.add(ofRank[top]);
    load.set(region, load.get(region) - ofRank[top]);
    serverOfRegion.add(serverOfRegion.get(region));
    ranksOfRegion.get(region).remove(Integer.valueOf(top));
    ranksOfRegion.add(new ArrayList<>(List.of(top)));
    regionOfRank[top] = own;
    splits += SPLITS_OF_A_CUT;
    return true;
  }
}
