package io.lazuli.server.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.event.RequestListener;
import io.lazuli.storage.metrics.Histogram;
import io.lazuli.storage.metrics.MetricVisitor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one server. Parts of the server are sources: they show their numbers when somebody
 * asks for the metrics, and cost nothing before. Only requests are counted while they run, by
 * {@link RequestMetrics}. Thread-safe.
 */
public final class ServerMetrics implements AutoCloseable {
  private final List<Consumer<MetricVisitor>> sources = new CopyOnWriteArrayList<>();
  private final Map<String, RequestMetrics> services = new ConcurrentHashMap<>();
  private final BusiestTables tables = new BusiestTables();

  /** Created by the first export, because most servers in tests never make one. */
  @GuardedBy("this")
  private @Nullable MetricExport export;

  public ServerMetrics() {
    add(tables::show);
  }

  /**
   * Adds a source. Two sources may show metrics of the same name if their label values differ.
   *
   * @param source may block for a short time
   */
  public void add(Consumer<MetricVisitor> source) {
    sources.add(source);
  }

  /** Counts the requests to a service. All listeners of a service share their counts. */
  public RequestListener requests(String service) {
    return services.computeIfAbsent(
        service,
        missing -> {
          RequestMetrics requests = new RequestMetrics(service, tables);
          add(requests::show);
          return requests;
        });
  }

  /**
   * Returns how many requests of all services took how long in the server, in the classes of {@link
   * Histogram#ofNanos}.
   */
  public long[] serverTimes() {
    long[] sum = Histogram.ofNanos().counts();
    services.values().forEach(requests -> requests.addServerTimes(sum));
    return sum;
  }

  /** Returns all metrics as text. Asks every source, so it may block for a short time. */
  public synchronized String text(ExportFormat format) {
    MetricExport current = export;
    if (current == null) {
      current = new MetricExport(this::show);
      export = current;
    }
    return current.text(format);
  }

  private void show(MetricVisitor visitor) {
    sources.forEach(source -> source.accept(visitor));
  }

  @Override
  public synchronized void close() {
    if (export != null) {
      export.close();
    }
  }
}
