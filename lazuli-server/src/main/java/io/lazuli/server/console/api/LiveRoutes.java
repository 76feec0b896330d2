package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.ADMIN;
import static io.lazuli.server.console.session.Role.READER;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.session.Session;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.StreamedBody;
import io.lazuli.server.live.ErrorCounts;
import io.lazuli.server.live.Live;
import io.lazuli.server.live.LiveRequest;
import io.lazuli.server.live.Shapes;
import io.lazuli.server.live.WhyRefused;
import io.lazuli.storage.thread.Threads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The routes about recent requests. One thread sends them to all streams, once a second. Safe for
 * use by many threads.
 */
public final class LiveRoutes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveRoutes.class);

  /** The maximum number of streams of requests. */
  public static final int LIVE_STREAMS_MAX = 16;

  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final int SENT_MAX = 200;

  /** A comment is sent after this many periods without requests. */
  private static final int QUIET_PERIODS = 15;

  /** A client that reads requests as they come. Mutable; belongs to the thread of the streams. */
  private static final class Reader {
    private final String account;
    private long last;
    private int quiet;

    Reader(String account, long last) {
      this.account = account;
      this.last = last;
    }
  }

  private final Live live;
  private final WhyRefused why;
  private final Predicate<String> accounts;
  private final Map<StreamedBody.Events, Reader> streams = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> Threads.daemon(task, "console-live"));

  /**
   * @param accounts returns whether an account exists
   */
  public LiveRoutes(Live live, WhyRefused why, Predicate<String> accounts) {
    this.live = live;
    this.why = why;
    this.accounts = accounts;
  }

  /** Starts to send requests. */
  public void start() {
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(
            this::sendAll, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  public List<Route> routes() {
    return List.of(
        Route.of("live", "GET /live", READER, Route.Body.LINK, this::begin),
        Route.of("live-requests", "GET /accounts/{a}/live/requests", READER, this::requests),
        Route.of("live-shapes", "GET /accounts/{a}/live/shapes", READER, this::shapes),
        Route.of("live-errors", "GET /accounts/{a}/live/errors", READER, this::errors),
        Route.of("why", "GET /accounts/{a}/live/requests/{id}/why", ADMIN, this::why));
  }

  private CompletionStage<Response> begin(Call call) {
    String account = call.require("account");
    if (!accounts.test(account)) {
      throw ConsoleErrors.NO_ACCOUNT.exception();
    }
    StreamedBody.Events[] self = new StreamedBody.Events[1];
    StreamedBody.Events stream =
        new StreamedBody.Events(EventRoutes.UNSENT_BYTES_MAX, () -> streams.remove(self[0]));
    self[0] = stream;
    synchronized (streams) {
      if (streams.size() >= LIVE_STREAMS_MAX) {
        throw CommonErrors.SERVER_BUSY.exception();
      }
      streams.put(stream, new Reader(account, after(call)));
    }
    return CompletableFuture.completedFuture(
        Response.of(200)
            .header("Content-Type", "text/event-stream; charset=utf-8")
            .body(stream)
            .build());
  }

  /** Returns the number of the last request that the client knows. */
  private long after(Call call) {
    String header = call.request().header("Last-Event-ID");
    String text = header == null ? call.parameter("after", "") : header;
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : live.last();
  }

  private void sendAll() {
    streams.forEach(
        (stream, reader) -> {
          try {
            send(stream, reader);
          } catch (RuntimeException e) {
            LOG.warn("requests were not sent to the console: {}", e.toString());
          }
        });
  }

  private void send(StreamedBody.Events stream, Reader reader) {
    List<LiveRequest> found = live.after(reader.account, reader.last, SENT_MAX);
    if (found.isEmpty()) {
      reader.quiet++;
      if (reader.quiet >= QUIET_PERIODS) {
        reader.quiet = 0;
        stream.send(": quiet\n\n".getBytes(StandardCharsets.US_ASCII));
      }
      return;
    }
    reader.quiet = 0;
    reader.last = found.get(found.size() - 1).number();
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 12);
    String head = "retry: 2000\nevent: requests\nid: " + reader.last + "\ndata: ";
    out.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(JsonOut.bytes(json -> write(json, found, reader.last)));
    out.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
    stream.send(out.toByteArray());
  }

  private CompletionStage<Response> requests(Call call) {
    List<LiveRequest> found = live.after(call.account(), after(call, 0), call.limit());
    long last = found.isEmpty() ? after(call, 0) : found.get(found.size() - 1).number();
    return done(JsonOut.answer(200, json -> write(json, found, last)));
  }

  private static long after(Call call, long otherwise) {
    String text = call.parameter("after", "");
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : otherwise;
  }

  private static CompletionStage<Response> done(Response response) {
    return CompletableFuture.completedFuture(response);
  }

  private void write(JsonGenerator json, List<LiveRequest> found, long last) throws IOException {
    json.writeNumberField("last", last);
    json.writeNumberField("share", live.share());
    json.writeArrayFieldStart("requests");
    for (LiveRequest request : found) {
      write(json, request);
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, LiveRequest request) throws IOException {
    json.writeStartObject();
    json.writeNumberField("n", request.number());
    json.writeStringField("at", Instant.ofEpochMilli(request.millis()).toString());
    json.writeStringField("id", request.id());
    json.writeStringField("service", request.service());
    json.writeStringField("operation", request.operation());
    json.writeStringField("method", request.method());
    json.writeStringField("target", request.target());
    json.writeNumberField("status", request.status());
    json.writeStringField("code", request.code());
    json.writeStringField("plan", request.plan());
    json.writeNumberField("read", request.read());
    json.writeNumberField("returned", request.returned());
    json.writeNumberField("bytesIn", request.bytesIn());
    json.writeNumberField("bytesOut", request.bytesOut());
    json.writeNumberField("millis", (double) request.micros() / 1_000);
    json.writeStringField("peer", request.peer());
    json.writeStringField("agent", request.agent());
    json.writeNumberField("standsFor", request.standsFor());
    json.writeEndObject();
  }

  private CompletionStage<Response> shapes(Call call) {
    List<Shapes.Cost> found = live.shapes().of(call.account(), call.limit());
    Session session = call.session();
    boolean isAdmin = session != null && session.role().includes(ADMIN);
    return done(
        JsonOut.answer(
            200,
            json -> {
              json.writeArrayFieldStart("shapes");
              for (Shapes.Cost cost : found) {
                write(json, cost, isAdmin);
              }
              json.writeEndArray();
            }));
  }

  private static void write(JsonGenerator json, Shapes.Cost cost, boolean isAdmin)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("table", cost.table());
    json.writeStringField("kind", cost.kind());
    json.writeStringField("shape", cost.shape());
    JsonOut.text(json, "example", isAdmin ? cost.example() : null);
    json.writeNumberField("runs", cost.runs());
    json.writeNumberField("read", cost.read());
    json.writeNumberField("returned", cost.returned());
    json.writeNumberField("bytes", cost.bytes());
    json.writeNumberField("millis", (double) cost.micros() / 1_000);
    json.writeNumberField("millis50", cost.millis50());
    json.writeNumberField("millis99", cost.millis99());
    json.writeStringField("first", Instant.ofEpochMilli(cost.firstMillis()).toString());
    json.writeStringField("last", Instant.ofEpochMilli(cost.lastMillis()).toString());
    json.writeArrayFieldStart("callers");
    for (String caller : cost.callers()) {
      json.writeString(caller);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private CompletionStage<Response> errors(Call call) {
    List<ErrorCounts.Count> found = live.errors().of(call.account());
    return done(
        JsonOut.answer(
            200,
            json -> {
              json.writeArrayFieldStart("errors");
              for (ErrorCounts.Count count : found) {
                json.writeStartObject();
                json.writeStringField("service", count.service());
                json.writeStringField("operation", count.operation());
                json.writeNumberField("status", count.status());
                json.writeStringField("code", count.code());
                json.writeNumberField("lastHour", count.lastHour());
                json.writeStringField("last", Instant.ofEpochMilli(count.lastMillis()).toString());
                json.writeStringField("lastId", count.lastId());
                json.writeEndObject();
              }
              json.writeEndArray();
            }));
  }

  private CompletionStage<Response> why(Call call) {
    WhyRefused.Explanation found = why.explain(call.account(), call.name("id"));
    if (found == null) {
      throw CommonErrors.RESOURCE_NOT_FOUND.exception();
    }
    return done(
        JsonOut.answer(
            200,
            json -> {
              json.writeStringField("text", found.text());
              json.writeStringField("scheme", found.scheme());
              json.writeArrayFieldStart("fields");
              for (Map.Entry<String, String> field : found.fields()) {
                json.writeStartObject();
                json.writeStringField("name", field.getKey());
                json.writeStringField("ours", field.getValue());
                json.writeEndObject();
              }
              json.writeEndArray();
              json.writeArrayFieldStart("checked");
              for (String remark : found.checked()) {
                json.writeString(remark);
              }
              json.writeEndArray();
            }));
  }

  /** Ends all streams. */
  @Override
  public void close() {
    timer.shutdownNow();
    streams.keySet().forEach(StreamedBody.Events::close);
  }
}
