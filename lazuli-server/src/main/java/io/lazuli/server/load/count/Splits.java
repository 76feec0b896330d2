package io.lazuli.server.load.count;

import io.lazuli.server.load.count.Generation.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides which ranges the next generation has: busy ones are split at the median of sampled keys,
 * idle neighbours are merged. Belongs to one thread.
 */
public final class Splits {
  /** A range with more than this share of all requests is split. */
  static final double SPLIT_SHARE = 0.02;

  /** Neighbours that together have less than this share are merged. */
  static final double MERGE_SHARE = 0.001;

  /** The number of ranges of one space. */
  static final int SPACE_RANGES_MAX = 256;

  private static final int KEYS_MAX = 16;
  private static final int BOUND_MAX = 64;

  /** Minutes without a request after which a space loses its place if places are scarce. */
  private static final int IDLE_MINUTES = 30;

  /** How much the last period counts compared with those before it. */
  private static final double NEW_SHARE = 0.5;

  /** A range with its average number of requests and some of its keys. Mutable. */
  private static final class Range {
    private final String from;
    private double requests;
    private int seen;
    private final List<String> keys = new ArrayList<>();

    Range(String from, double requests) {
      this.from = from;
      this.requests = requests;
    }
  }

  /** Mutable. */
  private static final class Space {
    private final List<Range> ranges = new ArrayList<>();
    private @Nullable SpaceRanges compared;
    private boolean same;
    private int idleMinutes;

    /** Returns whether these are still its ranges. A new space takes them. */
    boolean has(SpaceRanges other) {
      if (ranges.isEmpty()) {
        other.bounds().forEach(bound -> ranges.add(new Range(bound, 0)));
      }
      if (other != compared) {
        compared = other;
        same = bounds().equals(other.bounds());
      }
      return same;
    }

    List<String> bounds() {
      return ranges.stream().map(range -> range.from).toList();
    }
  }

  private final RandomGenerator random;
  private final Map<SpaceName, Space> spaces = new HashMap<>();

  public Splits(RandomGenerator random) {
    this.random = random;
  }

  /** Adds keys of requests. */
  public void add(List<Sample> samples) {
    for (Sample sample : samples) {
      Space space = spaces.computeIfAbsent(sample.space().name(), missing -> new Space());
      if (!space.has(sample.space())) {
        continue;
      }
      Range range = space.ranges.get(sample.bucket());
      String key = sample.keys().partition();
      range.seen++;
      if (range.keys.size() < KEYS_MAX) {
        range.keys.add(key);
      } else {
        int place = random.nextInt(range.seen);
        if (place < KEYS_MAX) {
          range.keys.set(place, key);
        }
      }
    }
  }

  /** Adds the counts of a minute. */
  public void count(List<Counted> counted) {
    spaces.values().forEach(space -> space.idleMinutes++);
    for (Counted one : counted) {
      Space space = spaces.computeIfAbsent(one.ranges().name(), missing -> new Space());
      space.idleMinutes = 0;
      if (!space.has(one.ranges())) {
        continue;
      }
      for (int i = 0; i < space.ranges.size(); i++) {
        long[] counts = one.byRange()[i];
        double now = counts[Tally.READS] + counts[Tally.WRITES];
        Range range = space.ranges.get(i);
        range.requests = range.requests * (1 - NEW_SHARE) + now * NEW_SHARE;
      }
    }
  }

  /**
   * Returns the ranges of the next generation.
   *
   * @param adapt false to keep the ranges as they are
   */
  public List<Generation.Start> next(boolean adapt) {
    if (spaces.size() > Generation.SPACES_MAX / 2) {
      spaces.values().removeIf(space -> space.idleMinutes >= IDLE_MINUTES);
    }
    if (adapt) {
      adapt();
    }
    List<Generation.Start> starts = new ArrayList<>();
    spaces.forEach(
        (name, space) -> {
          if (!space.ranges.isEmpty() && !name.account().isEmpty()) {
            space.compared = null;
            starts.add(new Generation.Start(name, space.bounds()));
          }
        });
    return starts;
  }

  private void adapt() {
    double all =
        spaces.values().stream()
            .flatMap(space -> space.ranges.stream())
            .mapToDouble(range -> range.requests)
            .sum();
    if (all == 0) {
      return;
    }
    for (Space space : spaces.values()) {
      mergeIdle(space, all * MERGE_SHARE);
    }
    // Places for spaces that are not known yet stay free.
    int free = Generation.RANGES_MAX - Generation.SPACES_MAX / 2 - Generation.RESTS_MAX - ranges();
    List<Space> busiest =
        spaces.values().stream()
            .sorted(Comparator.comparingDouble(Splits::hottest).reversed())
            .toList();
    for (Space space : busiest) {
      free -= split(space, all * SPLIT_SHARE, free);
    }
    spaces.values().forEach(space -> space.ranges.forEach(range -> range.keys.clear()));
    spaces.values().forEach(space -> space.ranges.forEach(range -> range.seen = 0));
  }

  private int ranges() {
    return spaces.values().stream().mapToInt(space -> space.ranges.size()).sum();
  }

  private static double hottest(Space space) {
    return space.ranges.stream().mapToDouble(range -> range.requests).max().orElse(0);
  }

  private static void mergeIdle(Space space, double least) {
    for (int i = 0; i + 1 < space.ranges.size(); ) {
      Range one = space.ranges.get(i);
      Range next = space.ranges.get(i + 1);
      if (one.requests + next.requests < least) {
        one.requests += next.requests;
        one.keys.addAll(
            next.keys.subList(0, Math.min(next.keys.size(), KEYS_MAX - one.keys.size())));
        space.ranges.remove(i + 1);
      } else {
        i++;
      }
    }
  }

  /** Splits the busy ranges of a space. Returns how many ranges it has more than before. */
  private static int split(Space space, double most, int free) {
    int more = 0;
    List<Range> split = new ArrayList<>();
    for (Range range : space.ranges) {
      split.add(range);
      if (range.requests > most && more < free && space.ranges.size() + more < SPACE_RANGES_MAX) {
        String bound = bound(range);
        if (!bound.isEmpty()) {
          range.requests /= 2;
          split.add(new Range(bound, range.requests));
          more++;
        }
      }
    }
    space.ranges.clear();
    space.ranges.addAll(split);
    return more;
  }

  /** Returns a key that divides the sampled keys; empty if all are of one partition. */
  private static String bound(Range range) {
    List<String> keys = range.keys.stream().sorted().toList();
    int middle = keys.size() / 2;
    for (int i = 0; i <= middle && !keys.isEmpty(); i++) {
      for (int place : new int[] {middle + i, middle - i}) {
        if (place > 0 && place < keys.size() && !keys.get(place - 1).equals(keys.get(place))) {
          String bound = shortest(keys.get(place - 1), keys.get(place));
          if (bound.compareTo(range.from) > 0 && bound.compareTo(keys.get(place - 1)) > 0) {
            return bound;
          }
        }
      }
    }
    return "";
  }

  /** Returns the shortest start of a key that is above another one. */
  static String shortest(String below, String key) {
    int length = 1;
    while (length < key.length() && key.substring(0, length).compareTo(below) <= 0) {
      length++;
    }
    return key.substring(0, Math.min(length, BOUND_MAX));
  }
}
