package io.lazuli.server.load.map;

import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.count.Tally;
import io.lazuli.server.load.fact.Ranges;
import io.lazuli.server.load.fact.Slot;
import io.lazuli.server.load.fact.SpaceLoad;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Load by ranges of keys and time, in units per second.
 *
 * @param level the length of the stored periods
 * @param rows in the order of tables and keys
 * @param cells row by row
 * @param sum of each column
 * @param max the largest cell
 * @param gaps periods without data, although there is some before
 */
public record HeatMap(
    String level,
    long from,
    int columnSeconds,
    int columns,
    List<Row> rows,
    float[] cells,
    double[] sum,
    double max,
    List<Gap> gaps) {
  /**
   * A range of keys.
   *
   * @param to the first key of the next range; empty for the end of the table
   * @param about true if some of its cells are parts of longer ranges
   */
  public record Row(SpaceName space, String from, String to, boolean about) {}

  /**
   * A time without data.
   *
   * @param server empty if no server has data
   */
  public record Gap(String server, long from, long to) {}

  /** Ranges of one space while the map is made. */
  private static final class Space {
    private final TreeSet<String> bounds = new TreeSet<>(List.of(""));
    private List<String> finest = List.of();
    private double[] weights = new double[0];
    private double[] known = new double[0];
    private boolean[] about = new boolean[0];

    /** The row of each of the finest ranges. */
    private int[] rows = new int[0];

    /** The finest ranges at which rows begin. */
    private List<Integer> firsts = new ArrayList<>();

    /** Returns the finest range after a row. */
    int end(int row) {
      return row + 1 < firsts.size() ? firsts.get(row + 1) : finest.size();
    }

    double sum() {
      double sum = 0;
      for (double weight : weights) {
        sum += weight;
      }
      return sum;
    }
  }

  /** Makes the map of slots that begin in the window. */
  public static HeatMap of(HeatMapQuery query, String level, int slotSeconds, List<Slot> slots) {
    long span = query.to() - query.from();
    long perColumn = (span + query.columns() - 1) / query.columns();
    int columnSeconds = (int) ((perColumn + slotSeconds - 1) / slotSeconds * slotSeconds);
    long first = query.from() - Math.floorMod(query.from(), (long) slotSeconds);
    int columns = (int) ((query.to() - first + columnSeconds - 1) / columnSeconds);
    Map<SpaceName, Space> spaces = spaces(query, slots);
    List<Row> rows = rows(spaces, query.rows());
    float[] cells = new float[rows.size() * columns];
    for (Slot slot : slots) {
      int column = (int) ((slot.start() - first) / columnSeconds);
      if (column >= 0 && column < columns) {
        fill(query, slot, spaces, cells, column, columns, columnSeconds);
      }
    }
    double[] sum = new double[columns];
    double max = 0;
    for (int i = 0; i < cells.length; i++) {
      sum[i % columns] += cells[i];
      max = Math.max(max, cells[i]);
    }
    return new HeatMap(
        level,
        first,
        columnSeconds,
        columns,
        marked(rows, spaces),
        cells,
        sum,
        max,
        gaps(slots, slotSeconds));
  }

  private static boolean isAsked(HeatMapQuery query, SpaceName name) {
    return name.account().equals(query.account())
        && (query.service().isEmpty() || query.service().equals(name.service()))
        && (query.space().isEmpty() || query.space().equalsIgnoreCase(name.name()));
  }

  private static Map<SpaceName, Space> spaces(HeatMapQuery query, List<Slot> slots) {
    Map<SpaceName, Space> spaces = new TreeMap<>();
    for (Slot slot : slots) {
      for (SpaceLoad load : slot.spaces()) {
        if (isAsked(query, load.name())) {
          spaces.computeIfAbsent(load.name(), missing -> new Space()).bounds.addAll(load.bounds());
        }
      }
    }
    spaces
        .values()
        .forEach(
            space -> {
              space.finest = new ArrayList<>(space.bounds);
              space.weights = new double[space.finest.size()];
              space.known = new double[space.finest.size()];
              space.about = new boolean[space.finest.size()];
              space.rows = new int[space.finest.size()];
            });
    for (Slot slot : slots) {
      for (SpaceLoad load : slot.spaces()) {
        Space space = spaces.get(load.name());
        if (space != null) {
          add(space.known, Ranges.of(load).weights(space.finest));
        }
      }
    }
    for (Slot slot : slots) {
      for (SpaceLoad load : slot.spaces()) {
        Space space = spaces.get(load.name());
        if (space != null) {
          long[][] spread = Ranges.of(load).spread(space.finest, space.known);
          for (int i = 0; i < spread.length; i++) {
            space.weights[i] += Ranges.requests(spread[i]);
          }
        }
      }
    }
    return spaces;
  }

  private static void add(double[] to, double[] from) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }

  /** Merges neighbours with little load until there are few enough rows. */
  private static List<Row> rows(Map<SpaceName, Space> spaces, int max) {
    keepBusiest(spaces, max);
    double all = spaces.values().stream().mapToDouble(Space::sum).sum();
    int count = 0;
    for (Space space : spaces.values()) {
      space.firsts = kept(space, all / (4.0 * max));
      count += space.firsts.size();
    }
    while (count > max) {
      mergeLeast(spaces.values());
      count--;
    }
    List<Row> rows = new ArrayList<>();
    spaces.forEach(
        (name, space) -> {
          for (int i = 0; i < space.firsts.size(); i++) {
            int end = space.end(i);
            for (int range = space.firsts.get(i); range < end; range++) {
              space.rows[range] = rows.size();
            }
            String to = end < space.finest.size() ? space.finest.get(end) : "";
            rows.add(new Row(name, space.finest.get(space.firsts.get(i)), to, false));
          }
        });
    return rows;
  }

  private static void keepBusiest(Map<SpaceName, Space> spaces, int max) {
    List<SpaceName> names =
        spaces.entrySet().stream()
            .sorted(
                Comparator.comparingDouble(
                        (Map.Entry<SpaceName, Space> one) -> one.getValue().sum())
                    .reversed())
            .limit(max)
            .map(Map.Entry::getKey)
            .toList();
    spaces.keySet().retainAll(names);
  }

  /** Returns the ranges at which rows begin if those with very little load are joined. */
  private static List<Integer> kept(Space space, double least) {
    List<Integer> kept = new ArrayList<>(List.of(0));
    double sum = space.weights.length == 0 ? 0 : space.weights[0];
    for (int i = 1; i < space.weights.length; i++) {
      if (sum + space.weights[i] < least) {
        sum += space.weights[i];
      } else {
        kept.add(i);
        sum = space.weights[i];
      }
    }
    return kept;
  }

  private static void mergeLeast(Collection<Space> spaces) {
    List<Integer> from = new ArrayList<>();
    int place = 0;
    double least = Double.MAX_VALUE;
    for (Space space : spaces) {
      for (int i = 0; i + 1 < space.firsts.size(); i++) {
        double weight = 0;
        for (int range = space.firsts.get(i); range < space.end(i + 1); range++) {
          weight += space.weights[range];
        }
        if (weight < least) {
          least = weight;
          from = space.firsts;
          place = i + 1;
        }
      }
    }
    from.remove(place);
  }

  private static void fill(
      HeatMapQuery query,
      Slot slot,
      Map<SpaceName, Space> spaces,
      float[] cells,
      int column,
      int columns,
      int columnSeconds) {
    for (SpaceLoad load : slot.spaces()) {
      Space space = spaces.get(load.name());
      if (space == null) {
        continue;
      }
      Ranges ranges = Ranges.of(load);
      long[][] spread = ranges.spread(space.finest, space.known);
      double[] exact = ranges.weights(space.finest);
      for (int i = 0; i < spread.length; i++) {
        double amount = amount(query, spread[i]);
        cells[space.rows[i] * columns + column] += (float) (amount / columnSeconds);
        space.about[i] |= amount > 0 && exact[i] == 0;
      }
    }
  }

  private static double amount(HeatMapQuery query, long[] counts) {
    boolean reads = query.side() != HeatMapQuery.Side.WRITES;
    boolean writes = query.side() != HeatMapQuery.Side.READS;
    return switch (query.metric()) {
      case REQUESTS -> (reads ? counts[Tally.READS] : 0) + (writes ? counts[Tally.WRITES] : 0);
      case ENTITIES ->
          (reads ? counts[Tally.ENTITIES_READ] : 0) + (writes ? counts[Tally.ENTITIES_WRITTEN] : 0);
      case BYTES -> (reads ? counts[Tally.BYTES_OUT] : 0) + (writes ? counts[Tally.BYTES_IN] : 0);
    };
  }

  /** Marks the rows of which a part was estimated. */
  private static List<Row> marked(List<Row> rows, Map<SpaceName, Space> spaces) {
    boolean[] about = new boolean[rows.size()];
    for (Space space : spaces.values()) {
      for (int i = 0; i < space.rows.length; i++) {
        about[space.rows[i]] |= space.about[i];
      }
    }
    List<Row> marked = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      boolean isWhole = row.from().isEmpty() && row.to().isEmpty();
      marked.add(new Row(row.space(), row.from(), row.to(), about[i] && !isWhole));
    }
    return marked;
  }

  private static List<Gap> gaps(List<Slot> slots, int slotSeconds) {
    Map<String, TreeSet<Long>> byServer = new TreeMap<>();
    for (Slot slot : slots) {
      byServer.computeIfAbsent(slot.server(), missing -> new TreeSet<>()).add(slot.start());
      byServer.computeIfAbsent("", missing -> new TreeSet<>()).add(slot.start());
    }
    List<Gap> gaps = new ArrayList<>();
    byServer.forEach(
        (server, starts) -> {
          long expected = starts.first();
          for (long start : starts) {
            if (start > expected) {
              gaps.add(new Gap(server, expected, start));
            }
            expected = start + slotSeconds;
          }
        });
    return gaps.stream().limit(100).toList();
  }
}
