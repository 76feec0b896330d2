package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.OPERATOR;
import static io.lazuli.server.console.session.Role.READER;

import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.session.Session;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.StreamedBody;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.thread.Threads;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stream of events: a summary of an account every five seconds, and jobs as they change. One
 * thread makes the summaries of all streams. Safe for use by many threads.
 */
public final class EventRoutes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventRoutes.class);

  /** The maximum number of streams. */
  public static final int STREAMS_MAX = 32;

  /** The bytes after which a client that does not read is disconnected. */
  static final long UNSENT_BYTES_MAX = 256 << 10;

  private static final Duration PERIOD = Duration.ofSeconds(5);

  private final Map<StreamedBody.Events, Reader> streams = new ConcurrentHashMap<>();
  private final Summaries summaries;
  private final Predicate<String> accounts;
  private volatile Function<String, List<JsonOut.Fields>> openJobs = account -> List.of();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> Threads.daemon(task, "console-events"));

  /**
   * Who reads a stream.
   *
   * @param seesJobs whether the role may see jobs
   */
  private record Reader(String account, boolean seesJobs) {}

  /**
   * @param accounts returns whether an account exists
   */
  public EventRoutes(Summaries summaries, Predicate<String> accounts) {
    this.summaries = summaries;
    this.accounts = accounts;
  }

  /**
   * Sets what a stream begins with: the jobs of an account that are not over, so that nobody has to
   * ask for them. The function may block.
   */
  public void openJobs(Function<String, List<JsonOut.Fields>> jobs) {
    openJobs = jobs;
  }

  /** Starts to send events. */
  public void start() {
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(
            this::sendAll, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  public List<Route> routes() {
    return List.of(
        Route.of("events", "GET /events", READER, Route.Body.LINK, this::begin),
        Route.of(
            "summary",
            "GET /accounts/{a}/summary",
            READER,
            call ->
                summaries
                    .of(call.account(), call.deadline())
                    .thenApply(
                        fields ->
                            Response.of(200).body(JsonOut.TYPE, JsonOut.bytes(fields)).build())));
  }

  private CompletionStage<Response> begin(Call call) {
    String account = call.require("account");
    if (!accounts.test(account)) {
      throw ConsoleErrors.NO_ACCOUNT.exception();
    }
    Session session = call.session();
    Reader reader = new Reader(account, session != null && session.role().includes(OPERATOR));
    StreamedBody.Events[] self = new StreamedBody.Events[1];
    StreamedBody.Events stream =
        new StreamedBody.Events(UNSENT_BYTES_MAX, () -> streams.remove(self[0]));
    self[0] = stream;
    synchronized (streams) {
      if (streams.size() >= STREAMS_MAX) {
        throw CommonErrors.SERVER_BUSY.exception();
      }
      streams.put(stream, reader);
    }
    List<JsonOut.Fields> open = reader.seesJobs ? openJobs.apply(account) : List.of();
    // The first event follows once the head is on its way.
    ScheduledFuture<?> unused =
        timer.schedule(
            () -> {
              open.forEach(job -> stream.send(event("job", JsonOut.bytes(job))));
              send(stream, reader);
            },
            50,
            TimeUnit.MILLISECONDS);
    return CompletableFuture.completedFuture(
        Response.of(200)
            .header("Content-Type", "text/event-stream; charset=utf-8")
            .body(stream)
            .build());
  }

  private void sendAll() {
    streams.forEach(this::send);
  }

  /** Sends one event. A failure must not end the timer. */
  private void send(StreamedBody.Events stream, Reader reader) {
    try {
      CompletionStage<?> unused =
          summaries
              .of(reader.account, Deadline.after(PERIOD))
              .thenAccept(fields -> stream.send(event("summary", JsonOut.bytes(fields))))
              .exceptionally(
                  failure -> {
                    stream.send(": the server is busy\n\n".getBytes(StandardCharsets.US_ASCII));
                    return null;
                  });
    } catch (RuntimeException e) {
      LOG.warn("an event of the console was not sent: {}", e.toString());
    }
  }

  /** Sends a job to the streams of its account, which never wait for it. */
  public void sendJob(String account, JsonOut.Fields fields) {
    byte[] event = event("job", JsonOut.bytes(fields));
    streams.forEach(
        (stream, reader) -> {
          if (reader.seesJobs && reader.account.equals(account)) {
            stream.send(event);
          }
        });
  }

  private static byte[] event(String name, byte[] json) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(json.length + 64);
    out.writeBytes(
        ("retry: 2000\nevent: " + name + "\ndata: ").getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(json);
    out.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
    return out.toByteArray();
  }

  /** Ends all streams. */
  @Override
  public void close() {
    timer.shutdownNow();
    streams.keySet().forEach(StreamedBody.Events::close);
  }
}
