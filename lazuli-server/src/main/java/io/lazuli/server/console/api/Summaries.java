package io.lazuli.server.console.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.blob.service.BlobOperation.ListContainers;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.event.RequestCounters;
import io.lazuli.server.queue.service.QueueOperation.ListQueues;
import io.lazuli.server.queue.service.QueueOutcome.QueuePage;
import io.lazuli.server.queue.service.QueueService;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.service.TableOperation.QueryTables;
import io.lazuli.server.table.service.TableOutcome.TablePage;
import io.lazuli.server.table.service.TableService;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineState;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

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
  private final Supplier<EngineState> engineState;
  private final Clock clock;

  /** The counts at the last measurement. Guarded by this. */
  private long countedNanos = System.nanoTime();

  private long countedAnswers;
  private long countedErrors;
  private Rate rate = new Rate(0, 0);

  /** Requests of the last seconds. */
  private record Rate(double perSecond, double errorsPerSecond) {}

  public Summaries(
      TableService tables,
      QueueService queues,
      BlobService blobs,
      RequestCounters counters,
      Supplier<EngineState> engineState,
      Clock clock) {
    this.tables = tables;
    this.queues = queues;
    this.blobs = blobs;
    this.counters = counters;
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
                        (TablePage) lists[0],
                        (QueuePage) lists[1],
                        (ContainerPage) listedContainers));
  }

  private void write(
      JsonGenerator json, TablePage tablePage, QueuePage queuePage, ContainerPage containerPage)
      throws IOException {
    Rate now = rate();
    EngineState state = engineState.get();
    json.writeStringField("at", clock.instant().toString());
    json.writeObjectFieldStart("requests");
    json.writeNumberField("perSecond", now.perSecond);
    json.writeNumberField("errorsPerSecond", now.errorsPerSecond);
    json.writeNullField("millis99");
    json.writeEndObject();
    long tableCount = tablePage.names().size();
    JsonOut.count(json, "tables", tableCount, tablePage.next() == null);
    long queueCount = queuePage.queues().size();
    JsonOut.count(json, "queues", queueCount, queuePage.next() == null);
    long containerCount = containerPage.containers().size();
    JsonOut.count(json, "containers", containerCount, containerPage.next() == null);
    JsonOut.count(json, "stored", null, false);
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
    rate =
        new Rate(
            tenths((answers - countedAnswers) / seconds),
            tenths((errors - countedErrors) / seconds));
    countedNanos = now;
    countedAnswers = answers;
    countedErrors = errors;
    return rate;
  }

  private static double tenths(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
