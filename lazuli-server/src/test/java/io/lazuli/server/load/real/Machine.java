package io.lazuli.server.load.real;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.http.HttpDate;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A machine on which a program runs, with an address of its own. It keeps connections open and
 * signs requests with the key of the account. Thread-safe.
 */
final class Machine implements AutoCloseable {
  static final String ACCOUNT = "devstoreaccount1";

  private static final AccountKey KEY = Account.development().keys().get(0);
  private static final String VERSION = "2021-12-02";
  private static final long IDLE_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  private record Idle(RawConnection connection, long sinceNanos) {}

  private final String address;
  private final Map<Call.Service, Integer> ports;
  private final Map<Call.Service, Deque<Idle>> idle = new EnumMap<>(Call.Service.class);
  private final Tally tally;
  private final ExecutorService threads;

  Machine(String address, int threadCount, Map<Call.Service, Integer> ports, Tally tally) {
    this.address = address;
    this.ports = ports;
    this.tally = tally;
    for (Call.Service service : Call.Service.values()) {
      idle.put(service, new ConcurrentLinkedDeque<>());
    }
    this.threads =
        Executors.newFixedThreadPool(
            threadCount,
            work -> {
              Thread thread = new Thread(work, "machine-" + address);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Runs work that was planned for a time on one of the program's threads. */
  void run(long plannedNanos, Runnable work) {
    threads.execute(
        () -> {
          tally.began(System.nanoTime() - plannedNanos);
          try {
            work.run();
          } catch (RuntimeException | AssertionError e) {
            tally.surprised(e.toString());
          }
        });
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws UncheckedIOException if there is no answer
   */
  Answer ask(Call call) {
    try {
      RawConnection connection = connection(call.service());
      Answer answer;
      try {
        connection.send(request(call));
        answer =
            call.method().equals("HEAD")
                ? connection.answerWithoutBody()
                : connection.wholeAnswer();
      } catch (IOException e) {
        connection.close();
        throw e;
      }
      if ("close".equals(answer.header("connection"))) {
        connection.close();
      } else {
        idle.get(call.service()).push(new Idle(connection, System.nanoTime()));
      }
      String code = answer.headers().getOrDefault("x-ms-error-code", "");
      tally.answered(call, answer.status(), code, answer.status() < 400 ? "" : answer.body());
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(call.name() + " " + call.path() + ": " + e, e);
    }
  }

  private RawConnection connection(Call.Service service) throws IOException {
    for (Idle last = idle.get(service).poll(); last != null; last = idle.get(service).poll()) {
      if (System.nanoTime() - last.sinceNanos < IDLE_NANOS_MAX) {
        return last.connection;
      }
      last.connection.close();
    }
    return new RawConnection(ports.get(service), address);
  }

  private byte[] request(Call call) throws IOException {
    Map<String, String> headers = call.headers();
    headers.put("x-ms-date", HttpDate.format(Instant.now()));
    headers.put("x-ms-version", VERSION);
    headers.put("x-ms-client-request-id", UUID.randomUUID().toString());
    if (call.service() == Call.Service.TABLE) {
      headers.put("dataserviceversion", "3.0");
    }
    String path = "/" + ACCOUNT + call.path();
    StringBuilder head = new StringBuilder(1_000);
    head.append(call.method()).append(' ').append(path).append(call.encodedQuery());
    head.append(" HTTP/1.1\r\nHost: 127.0.0.1:").append(ports.get(call.service()));
    head.append("\r\nUser-Agent: bikes/").append(address).append("\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Authorization: SharedKey ").append(ACCOUNT).append(':').append(signature(call));
    head.append("\r\nContent-Length: ").append(call.body().length).append("\r\n\r\n");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(head.length() + call.body().length);
    bytes.write(head.toString().getBytes(StandardCharsets.ISO_8859_1));
    bytes.write(call.body());
    return bytes.toByteArray();
  }

  private static String signature(Call call) {
    String text = call.service() == Call.Service.TABLE ? tableText(call) : text(call);
    return Base64.getEncoder().encodeToString(KEY.sign(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String resource(Call call) {
    return "/" + ACCOUNT + "/" + ACCOUNT + call.path();
  }

  private static String tableText(Call call) {
    return String.join(
        "\n",
        call.method(),
        "",
        call.headers().getOrDefault("content-type", ""),
        call.headers().get("x-ms-date"),
        resource(call));
  }

  /** The text that is signed for queues and blobs. */
  private static String text(Call call) {
    Map<String, String> headers = call.headers();
    StringBuilder text =
        new StringBuilder(
            String.join(
                "\n",
                call.method(),
                "",
                "",
                call.body().length == 0 ? "" : Integer.toString(call.body().length),
                "",
                headers.getOrDefault("content-type", ""),
                "",
                "",
                headers.getOrDefault("if-match", ""),
                headers.getOrDefault("if-none-match", ""),
                "",
                headers.getOrDefault("range", ""),
                ""));
    headers.forEach(
        (name, value) -> {
          if (name.startsWith("x-ms-")) {
            text.append(name).append(':').append(value).append('\n');
          }
        });
    text.append(resource(call));
    call.query().forEach((name, value) -> text.append('\n').append(name).append(':').append(value));
    return text.toString();
  }

  /** Waits until the work that has begun is done. */
  @Override
  public void close() throws IOException, InterruptedException {
    threads.shutdown();
    if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
      tally.surprised("work on " + address + " does not end: " + threads.shutdownNow().size());
    }
    for (Deque<Idle> connections : idle.values()) {
      for (Idle last : connections) {
        last.connection.close();
      }
    }
  }
}
