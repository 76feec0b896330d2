package io.lazuli.client.pattern.keydesign;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/**
 * Watches the requests of a table client and diagnoses the design of its keys. Add it to the
 * builder of the client: {@code builder.addPolicy(watch)}. Mutable, thread-safe.
 *
 * <p>It sees every request of the client, also those of the patterns and those that are sent
 * without this library. It looks into at most about 1,000 requests a second and only counts the
 * others. Its memory is bounded: the latest 64 tables, each with 64 partitions and 16 kinds of
 * queries. It never changes or delays a request.
 */
public final class KeyWatch implements HttpPipelinePolicy {
  private static final int SAMPLES_PER_SECOND_MAX = 1_000;
  private static final int TABLES_MAX = 64;
  private static final float LOAD_FACTOR = 0.75f;
  private static final int BUSY = 503;
  private static final long SECOND_MILLIS = 1_000;

  private final Clock clock;
  private final AtomicLong requests = new AtomicLong();

  /** One of this many requests is looked into: a power of two. */
  private volatile long sampledOneOf = 1;

  @GuardedBy("this")
  private final Map<String, WatchedTable> tables =
      new LinkedHashMap<>(TABLES_MAX, LOAD_FACTOR, true);

  @GuardedBy("this")
  private long second;

  @GuardedBy("this")
  private long requestsBefore;

  /** The number of requests that were looked into this second, since the share was halved. */
  @GuardedBy("this")
  private int samples;

  KeyWatch(Clock clock) {
    this.clock = clock;
  }

  /** Creates a watch that has seen nothing. */
  public static KeyWatch create() {
    return new KeyWatch(Clock.systemUTC());
  }

  @Override
  public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
    return Mono.defer(
        () -> {
          HttpRequest request = context.getHttpRequest();
          see(request);
          return next.process().doOnNext(response -> seeStatus(request, response.getStatusCode()));
        });
  }

  @Override
  public HttpResponse processSync(
      HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
    HttpRequest request = context.getHttpRequest();
    see(request);
    HttpResponse response = next.processSync();
    seeStatus(request, response.getStatusCode());
    return response;
  }

  void see(HttpRequest request) {
    long weight = sampledOneOf;
    if ((requests.incrementAndGet() & (weight - 1)) == 0) {
      SeenRequest.of(request).ifPresent(seen -> add(seen, weight));
    }
  }

  private synchronized void add(SeenRequest seen, long weight) {
    long now = now();
    if (now > second) {
      adapt(now);
    }
    samples++;
    if (samples > SAMPLES_PER_SECOND_MAX) {
      samples = 0;
      sampledOneOf = weight * 2;
    }
    table(seen).add(seen, weight, now);
  }

  /** Sets the rate of sampling by the number of requests since the last sampled second. */
  @GuardedBy("this")
  private void adapt(long now) {
    long all = requests.get();
    long perSecond = (all - requestsBefore) / Math.max(1, now - second);
    long wanted = Math.max(1, perSecond / SAMPLES_PER_SECOND_MAX);
    sampledOneOf = Long.highestOneBit(wanted);
    requestsBefore = all;
    second = now;
    samples = 0;
  }

  /** Returns a table; the one that was not used for the longest time makes room for a new one. */
  @GuardedBy("this")
  private WatchedTable table(SeenRequest seen) {
    if (!tables.containsKey(seen.table()) && tables.size() == TABLES_MAX) {
      tables.remove(tables.keySet().iterator().next());
    }
    return tables.computeIfAbsent(seen.table(), name -> new WatchedTable());
  }

  void seeStatus(HttpRequest request, int status) {
    if (status == BUSY) {
      SeenRequest.of(request).ifPresent(this::addRefusal);
    }
  }

  private synchronized void addRefusal(SeenRequest seen) {
    table(seen).addRefusal(seen, now());
  }

  long sampledOneOf() {
    return sampledOneOf;
  }

  private long now() {
    return clock.millis() / SECOND_MILLIS;
  }

  /**
   * Returns the faults of a table that held in three of the last five complete minutes, and the
   * queries of the last five minutes that touched many partitions. A watch has no finding during
   * its first three minutes.
   */
  public synchronized List<Finding> findings(String table) {
    WatchedTable watched = tables.get(table);
    return watched == null ? List.of() : List.copyOf(watched.findings(now()));
  }

  /** Returns the names of the tables that were seen, the latest last. */
  public synchronized List<String> tables() {
    return List.copyOf(tables.keySet());
  }
}
