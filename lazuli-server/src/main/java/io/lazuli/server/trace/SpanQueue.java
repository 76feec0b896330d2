package io.lazuli.server.trace;

import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.thread.BackgroundThread;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded queue of finished spans, and the thread that sends them in batches. A span that finds
 * the queue full, or whose batch cannot be sent, is dropped and counted: requests never wait for
 * the collector. Thread-safe.
 */
final class SpanQueue implements SpanProcessor {
  static final int SPANS_MAX = 4_096;
  private static final int BATCH_MAX = 512;
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration SEND_TIME_MAX = Duration.ofSeconds(10);
  private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(3);
  private static final Logger LOG = LoggerFactory.getLogger(SpanQueue.class);

  private final SpanExporter exporter;
  private final BlockingQueue<SpanData> spans = new ArrayBlockingQueue<>(SPANS_MAX);
  private final LongAdder sent = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final BackgroundThread thread = new BackgroundThread("traces", LOG::warn);
  private final BackgroundThread.Job sending = thread.repeat(PERIOD, PERIOD, this::send);

  SpanQueue(SpanExporter exporter) {
    this.exporter = exporter;
  }

  void start() {
    thread.start();
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {}

  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    if (!span.getSpanContext().isSampled()) {
      return;
    }
    if (!spans.offer(span.toSpanData())) {
      dropped.increment();
    } else if (spans.size() == BATCH_MAX) {
      sending.wake();
    }
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }

  /** Sends all batches that are full, or everything that has waited for a period. */
  private Duration send() {
    for (List<SpanData> batch = take(); !batch.isEmpty(); batch = take()) {
      CompletableResultCode result =
          exporter.export(batch).join(SEND_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
      if (!result.isSuccess()) {
        dropped.add(batch.size());
        throw new IllegalStateException("the collector does not take spans");
      }
      sent.add(batch.size());
    }
    return PERIOD;
  }

  private List<SpanData> take() {
    List<SpanData> batch = new ArrayList<>();
    spans.drainTo(batch, BATCH_MAX);
    return batch;
  }

  String trouble() {
    return thread.trouble();
  }

  void metrics(MetricVisitor visitor) {
    visitor.counter("lazuli_trace_spans", "Spans that were sent.", sent.sum());
    visitor.counter(
        "lazuli_trace_dropped_spans",
        "Spans that were lost, because the queue was full or the collector did not take them.",
        dropped.sum());
  }

  /** Sends what waits, unless the collector hangs. */
  @Override
  public void close() {
    if (thread.close(CLOSE_TIME_MAX) && !spans.isEmpty()) {
      try {
        Duration unused = send();
      } catch (IllegalStateException e) {
        LOG.warn("the last spans were lost: {}", e.getMessage());
      }
    }
    exporter.close();
  }
}
