package io.lazuli.server.console.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.event.RequestCounters;
import io.lazuli.server.load.Sizes;
import io.lazuli.server.load.size.Measured;
import io.lazuli.server.load.size.SpaceSize;
import io.lazuli.server.queue.service.QueueOperation.ListQueues;
import io.lazuli.server.queue.service.QueueOutcome.QueuePage;
import io.lazuli.server.queue.service.QueueService;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.service.TableOperation.QueryTables;
import io.lazuli.server.table.service.TableOutcome.TablePage;
import io.lazuli.server.table.service.TableService;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.metrics.Histogram;
import java.io.IOException;
import java.time.Clock;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Summaries of accounts, which need no more than a page of each list. Safe for use by many threads.
 */
public final class Summaries {
  private static final int LISTED_MAX = 1_000;
  private static final long RATE_NANOS_MIN = 1_000_000_000L;

  private final TableService tables;
  private final QueueService queues;
  private final BlobService blobs;
  private final RequestCounters counters;
  private final Supplier<long[]> serverTimes;
  private final Sizes sizes;
  private final Supplier<EngineState> engineState;
  private final Clock clock;

  /** The counts at the last measurement. Guarded by this. */
  private long countedNanos = System.nanoTime();

  private long countedAnswers;
  private long countedErrors;
  private long[] countedTimes;
  private Rate rate = new Rate(0, 0, Double.NaN);

  /**
   * Requests of the last seconds.
   *
   * @param millis99 NaN if there was none
   */
  private record Rate(double perSecond, double errorsPerSecond, double millis99) {}

  /**
   * @param serverTimes returns how many requests took how long, in the classes of {@link Histogram}
   */
  public Summaries(
      TableService tables,
      QueueService queues,
      BlobService blobs,
      RequestCounters counters,
      Supplier<long[]> serverTimes,
      Sizes sizes,
      Supplier<EngineState> engineState,
      Clock clock) {
    this.tables = tables;
    this.queues = queues;
    this.blobs = blobs;
    this.counters = counters;
    this.serverTimes = serverTimes;
    this.sizes = sizes;
    this.countedTimes = serverTimes.get();
    this.engineState = engineState;
    this.clock = clock;
  }

  /** Returns the fields of a summary. */
  CompletionStage<JsonOut.Fields> of(String account, Deadline deadline) {
    Caller caller = new Caller(account, false, new Access.Full());
    return tables
        .execute(new QueryTables(Filter.ALL, LISTED_MAX, ""), caller, deadline)
        .thenCombine(
            queues.execute(new ListQueues("", "", LISTED_MAX), caller, deadline),
            (listedTables, listedQueues) -> new Object[] {listedTables, listedQueues})
        .thenCombine(
            blobs.execute(new ListContainers("", "", LISTED_MAX, false), caller, deadline),
            (lists, listedContainers) ->
                json ->
                    write(
                        json,
                        stored(account),
                        (TablePage) lists[0],
                        (QueuePage) lists[1],
                        (ContainerPage) listedContainers));
  }

  /**
   * Returns the bytes of the last measurement; null if there is none. Then one begins, so that an
   * account that somebody looks at does not wait for its turn of the day.
   */
  private @Nullable Long stored(String account) {
    Measured last = sizes.latest(account);
    if (last == null) {
      sizes.request(account);
      return null;
    }
    return last.sizes().stream().mapToLong(SpaceSize::bytes).sum();
  }

  private void write(
      JsonGenerator json,
      @Nullable Long stored,
      TablePage tablePage,
      QueuePage queuePage,
      ContainerPage containerPage)
      throws IOException {
    Rate now = rate();
    EngineState state = engineState.get();
    json.writeStringField("at", clock.instant().toString());
    json.writeObjectFieldStart("requests");
    json.writeNumberField("perSecond", now.perSecond);
    json.writeNumberField("errorsPerSecond", now.errorsPerSecond);
    if (Double.isNaN(now.millis99)) {
      json.writeNullField("millis99");
    } else {
      json.writeNumberField("millis99", tenths(now.millis99));
    }
    json.writeEndObject();
    long tableCount = tablePage.names().size();
    JsonOut.count(json, "tables", tableCount, tablePage.next() == null);
    long queueCount = queuePage.queues().size();
    JsonOut.count(json, "queues", queueCount, queuePage.next() == null);
    long containerCount = containerPage.containers().size();
    JsonOut.count(json, "containers", containerCount, containerPage.next() == null);
    JsonOut.count(json, "stored", stored, false);
    json.writeObjectFieldStart("health");
    json.writeStringField(
        "status", !state.writable() ? "not writable" : state.fault().isEmpty() ? "ok" : "degraded");
    json.writeStringField("detail", state.writable() ? state.fault() : state.detail());
    json.writeEndObject();
  }

  /** Measures at most once a second, so that several streams do not shorten the period. */
  private synchronized Rate rate() {
    long now = System.nanoTime();
    long nanos = now - countedNanos;
    if (nanos < RATE_NANOS_MIN) {
      return rate;
    }
    long errors = counters.answered(4) + counters.answered(5);
    long answers = errors + counters.answered(2) + counters.answered(3);
    double seconds = nanos / 1e9;
    long[] times = serverTimes.get();
    long[] since = new long[times.length];
    Arrays.setAll(since, i -> times[i] - countedTimes[i]);
    countedTimes = times;
    rate =
        new Rate(
            tenths((answers - countedAnswers) / seconds),
            tenths((errors - countedErrors) / seconds),
            Histogram.millisWithin(since, 0.99));
    countedNanos = now;
    countedAnswers = answers;
    countedErrors = errors;
    return rate;
  }

  private static double tenths(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
