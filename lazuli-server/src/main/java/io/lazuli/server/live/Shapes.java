package io.lazuli.server.live;

import io.lazuli.server.event.KeyUse;
import io.lazuli.server.event.QueryShape;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.load.count.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The dearest shapes of queries since the start: conditions without their literals. If there are
 * too many, the cheapest makes room. Thread-safe.
 */
public final class Shapes {
  /** The number of shapes that are kept. */
  static final int SHAPES_MAX = 512;

  private static final int CALLERS_MAX = 4;

  /** Times are counted by powers of two of microseconds. */
  private static final int TIMES = 24;

  private record Key(String account, String table, String kind, String shape) {}

  /**
   * What queries of one shape cost. Numbers are sums, about right if there are very many queries.
   *
   * @param example one of the queries with its literals, which may be private
   * @param millis50 half of the queries are faster
   */
  public record Cost(
      String table,
      String kind,
      String shape,
      String example,
      long runs,
      long read,
      long returned,
      long bytes,
      long micros,
      double millis50,
      double millis99,
      long firstMillis,
      long lastMillis,
      List<String> callers) {
    public Cost {
      callers = List.copyOf(callers);
    }
  }

  /** Mutable; guarded by the monitor of the outer object. */
  private static final class Sum {
    private String example = "";
    private long runs;
    private long read;
    private long returned;
    private long bytes;
    private long micros;
    private final long[] times = new long[TIMES];
    private long first;
    private long last;
    private final Set<String> callers = new LinkedHashSet<>();

    double millis(double share) {
      long left = (long) Math.ceil(runs * share);
      for (int i = 0; i < TIMES; i++) {
        left -= times[i];
        if (left <= 0) {
          return (double) (2L << i) / 1_000;
        }
      }
      return (double) (2L << TIMES) / 1_000;
    }
  }

  private final Map<Key, Sum> shapes = new HashMap<>();

  public Shapes() {}

  /** Adds the queries among samples. Not for event loops. */
  public synchronized void add(List<Sample> samples) {
    for (Sample sample : samples) {
      QueryShape query = sample.keys().query();
      if (query != null && sample.event().status() < 400) {
        add(sample, query);
      }
    }
  }

  private void add(Sample sample, QueryShape query) {
    RequestEvent event = sample.event();
    KeyUse keys = sample.keys();
    String plan = event.planKind();
    int seeks = plan.indexOf('(');
    Key key =
        new Key(
            event.account(),
            keys.resource(),
            seeks < 0 ? plan : plan.substring(0, seeks),
            query.text());
    Sum sum = shapes.get(key);
    if (sum == null) {
      if (shapes.size() >= SHAPES_MAX) {
        shapes.remove(
            shapes.entrySet().stream()
                .min(Comparator.comparingLong(entry -> entry.getValue().micros))
                .orElseThrow()
                .getKey());
      }
      sum = new Sum();
      sum.first = sample.millis();
      sum.example = query.example();
      shapes.put(key, sum);
    }
    int weight = sample.weight();
    long micros = event.transfer().serverNanos() / 1_000;
    sum.runs += weight;
    sum.read += weight * event.entitiesRead();
    sum.returned += weight * event.entitiesReturned();
    sum.bytes += weight * event.transfer().bytesOut();
    sum.micros += weight * micros;
    sum.times[Math.min(TIMES - 1, 63 - Long.numberOfLeadingZeros(Math.max(1, micros)))] += weight;
    sum.last = sample.millis();
    if (sum.callers.size() < CALLERS_MAX) {
      sum.callers.add(sample.peer());
    }
  }

  /** Returns the shapes of an account, the dearest first. */
  public synchronized List<Cost> of(String account, int max) {
    List<Cost> costs = new ArrayList<>();
    shapes.forEach(
        (key, sum) -> {
          if (key.account.equals(account)) {
            costs.add(
                new Cost(
                    key.table,
                    key.kind,
                    key.shape,
                    sum.example,
                    sum.runs,
                    sum.read,
                    sum.returned,
                    sum.bytes,
                    sum.micros,
                    sum.millis(0.5),
                    sum.millis(0.99),
                    sum.first,
                    sum.last,
                    new ArrayList<>(sum.callers)));
          }
        });
    costs.sort(Comparator.comparingLong(Cost::micros).reversed());
    return costs.size() <= max ? costs : costs.subList(0, max);
  }
}
