package io.lazuli.server.load.count;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The counts of one minute. A new minute has a new generation, so counts begin at zero and ranges
 * can be other ones. Requests add without a lock; threads have stripes of their own as long as
 * there are not more than {@link #STRIPES_MAX}. Thread-safe.
 */
public final class Generation {
  /** The number of ranges, for everything that is counted. */
  public static final int RANGES_MAX = 1_024;

  /** The number of tables, queues and containers that are counted apart. */
  public static final int SPACES_MAX = 512;

  /** The number of accounts whose other requests are counted apart. */
  static final int RESTS_MAX = 64;

  /** The number of spellings of names that are remembered. */
  private static final int NAMES_MAX = 2 * SPACES_MAX;

  static final int STRIPES_MAX = 16;

  private static final SpaceName REST = new SpaceName("", "", "");

  /** One thread's counts, or those of several threads. */
  private record Stripe(AtomicLongArray ranges, AtomicLongArray spaces) {
    static Stripe create() {
      return new Stripe(
          new AtomicLongArray(RANGES_MAX * Tally.RANGE_SIZE),
          new AtomicLongArray((SPACES_MAX + RESTS_MAX) * Tally.SPACE_SIZE));
    }
  }

  private final AtomicReferenceArray<Stripe> stripes = new AtomicReferenceArray<>(STRIPES_MAX);

  /** By account and service, then by name, so that a request makes no key. */
  private final Map<String, Map<String, Map<String, SpaceRanges>>> spaces =
      new ConcurrentHashMap<>();

  private final List<SpaceRanges> all = new ArrayList<>();
  private final AtomicInteger names = new AtomicInteger();
  private int rests;
  private int ranges;

  /** What a space has at the start of a generation. */
  public record Start(SpaceName name, List<String> bounds) {
    public Start {
      bounds = List.copyOf(bounds);
    }
  }

  /** The counts of a space, without the ranges that had no request. */
  public record Counted(SpaceRanges ranges, long[] counts, long[][] byRange) {}

  /** Begins a generation. Ranges and spaces for which there is no room are left out. */
  public Generation(List<Start> start) {
    SpaceRanges unused = place(REST, List.of(""));
    int left = start.size();
    for (Start one : start) {
      left--;
      boolean fits = ranges + one.bounds.size() + left <= RANGES_MAX - RESTS_MAX;
      if (fits || hasRoom()) {
        SpaceRanges placed = place(one.name, fits ? one.bounds : List.of(""));
        names(one.name).put(one.name.name(), placed);
      }
    }
  }

  private boolean hasRoom() {
    return all.size() - rests < SPACES_MAX && ranges < RANGES_MAX - RESTS_MAX;
  }

  private Map<String, SpaceRanges> names(SpaceName name) {
    return spaces
        .computeIfAbsent(name.service(), missing -> new ConcurrentHashMap<>())
        .computeIfAbsent(name.account(), missing -> new ConcurrentHashMap<>());
  }

  private synchronized SpaceRanges place(SpaceName name, List<String> bounds) {
    rests += name.isRest() ? 1 : 0;
    SpaceRanges placed = new SpaceRanges(name, all.size(), ranges, bounds);
    all.add(placed);
    ranges += placed.size();
    return placed;
  }

  /**
   * Returns the ranges of a space.
   *
   * @param known true if the space exists for certain, so that it may get a place of its own
   */
  SpaceRanges find(String account, String service, String name, boolean known) {
    Map<String, Map<String, SpaceRanges>> accounts = spaces.get(service);
    Map<String, SpaceRanges> found = accounts == null ? null : accounts.get(account);
    SpaceRanges ranges = found == null ? null : found.get(name);
    if (ranges != null) {
      return ranges;
    }
    return known ? add(new SpaceName(account, service, name)) : rest(account, service);
  }

  private synchronized SpaceRanges add(SpaceName name) {
    SpaceRanges same = sameButForCase(name);
    if (same == null) {
      same = hasRoom() ? place(name, List.of("")) : rest(name.account(), name.service());
    }
    if (names.get() < NAMES_MAX && same.name().account().equals(name.account())) {
      names.incrementAndGet();
      names(name).putIfAbsent(name.name(), same);
    }
    return same;
  }

  /** Names of tables are compared without regard to case. */
  private @Nullable SpaceRanges sameButForCase(SpaceName name) {
    String lower = name.name().toLowerCase(Locale.ROOT);
    for (SpaceRanges one : all) {
      if (one.name().account().equals(name.account())
          && one.name().service().equals(name.service())
          && one.name().name().toLowerCase(Locale.ROOT).equals(lower)) {
        return one;
      }
    }
    return null;
  }

  private SpaceRanges rest(String account, String service) {
    Map<String, Map<String, SpaceRanges>> accounts = spaces.get(service);
    Map<String, SpaceRanges> found = accounts == null ? null : accounts.get(account);
    SpaceRanges ranges = found == null ? null : found.get("");
    return ranges == null ? addRest(new SpaceName(account, service, "")) : ranges;
  }

  private synchronized SpaceRanges addRest(SpaceName name) {
    if (rests >= RESTS_MAX || ranges >= RANGES_MAX) {
      return all.get(0);
    }
    return names(name).computeIfAbsent("", missing -> place(name, List.of("")));
  }

  private Stripe stripe(int thread) {
    int place = thread % STRIPES_MAX;
    Stripe stripe = stripes.get(place);
    if (stripe == null) {
      stripe = Stripe.create();
      Stripe other = stripes.compareAndExchange(place, null, stripe);
      stripe = other == null ? stripe : other;
    }
    return stripe;
  }

  /** Gives one request access to the counts of its space and range. */
  record Cell(AtomicLongArray ranges, int range, AtomicLongArray spaces, int space) {
    void inRange(int place, long amount) {
      if (amount != 0) {
        long unused = ranges.getAndAdd(range + place, amount);
      }
    }

    void inSpace(int place, long amount) {
      if (amount != 0) {
        long unused = spaces.getAndAdd(space + place, amount);
      }
    }
  }

  Cell cell(int thread, SpaceRanges space, int range) {
    Stripe stripe = stripe(thread);
    return new Cell(
        stripe.ranges,
        (space.firstBucket() + range) * Tally.RANGE_SIZE,
        stripe.spaces,
        space.index() * Tally.SPACE_SIZE);
  }

  /** Returns what was counted. Requests that end at this moment may be missing. */
  public synchronized List<Counted> counted() {
    List<Counted> counted = new ArrayList<>();
    for (SpaceRanges space : all) {
      long[] counts = new long[Tally.SPACE_SIZE];
      long[][] byRange = new long[space.size()][Tally.RANGE_SIZE];
      for (int i = 0; i < STRIPES_MAX; i++) {
        Stripe stripe = stripes.get(i);
        if (stripe != null) {
          add(stripe.spaces, space.index() * Tally.SPACE_SIZE, counts);
          for (int range = 0; range < byRange.length; range++) {
            add(stripe.ranges, (space.firstBucket() + range) * Tally.RANGE_SIZE, byRange[range]);
          }
        }
      }
      if (Arrays.stream(counts).anyMatch(count -> count != 0)) {
        counted.add(new Counted(space, counts, byRange));
      }
    }
    return counted;
  }

  private static void add(AtomicLongArray from, int first, long[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from.get(first + i);
    }
  }
}
