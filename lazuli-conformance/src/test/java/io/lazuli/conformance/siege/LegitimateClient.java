package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.Connection;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * An ordinary client of all three services that checks every answer: inserts and point reads, put
 * and get of messages, put and get of blobs. It keeps its connections open and works on one thread
 * until it is closed. In every round, it also opens one new connection, as a new client would.
 */
final class LegitimateClient implements AutoCloseable {

  private static final int ANSWER_MILLIS_MAX = Integer.getInteger("siege.answer.millis", 60_000);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final Pattern MESSAGE = Pattern.compile("<MessageText>([^<]*)</MessageText>");
  private static final Pattern MESSAGE_ID = Pattern.compile("<MessageId>([^<]*)</MessageId>");
  private static final Pattern RECEIPT = Pattern.compile("<PopReceipt>([^<]*)</PopReceipt>");

  /** Makes the keys and messages of all clients differ. */
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Target target;
  private final SocketFactory sockets;
  private final Map<StorageService, Connection> kept = new ConcurrentHashMap<>();

  /** The services whose kept connection has had an answer, so that the server has admitted it. */
  private final Set<StorageService> admitted = ConcurrentHashMap.newKeySet();

  private final List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
  private final List<Integer> acknowledged = Collections.synchronizedList(new ArrayList<>());
  private final Random random = new Random();
  private final Thread thread = new Thread(this::work, "legitimate-client");
  private volatile boolean ended;
  private final AtomicInteger rounds = new AtomicInteger();
  private final AtomicLong busy = new AtomicLong();
  private final AtomicLong broken = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong wrong = new AtomicLong();
  private volatile String firstWrong = "";

  LegitimateClient(Target target) {
    this.target = target;
    this.sockets = target.sockets();
  }

  /** Creates the table, the queue and the container of all clients. */
  static void prepare(Target target) {
    require(target.wire(StorageService.TABLE).post("/Tables", "{\"TableName\":\"legit\"}").send());
    require(target.wire(StorageService.QUEUE).request("PUT", "/legit").body("").send());
    require(
        target
            .wire(StorageService.BLOB)
            .request("PUT", "/legit?restype=container")
            .body("")
            .send());
  }

  private static void require(WireAnswer answer) {
    if (answer.status() != 201 && answer.status() != 409) {
      throw new AssertionError("cannot prepare: " + answer);
    }
  }

  LegitimateClient start() {
    thread.setDaemon(true);
    thread.start();
    return this;
  }

  /** Runs a few rounds on the calling thread. Returns true if no operation failed. */
  boolean succeeds(int wanted) {
    for (int i = 0; i < wanted; i++) {
      round();
    }
    kept.values().forEach(Connection::close);
    return failures() == 0;
  }

  long failures() {
    return busy() + broken() + refused() + wrong();
  }

  int rounds() {
    return rounds.get();
  }

  long operations() {
    return nanos.size();
  }

  /** Returns the time below which 99 % of the successful operations stayed, in milliseconds. */
  double p99Millis() {
    synchronized (nanos) {
      List<Long> sorted = new ArrayList<>(nanos);
      Collections.sort(sorted);
      return sorted.isEmpty() ? Double.NaN : sorted.get((sorted.size() * 99 - 1) / 100) / 1e6;
    }
  }

  /** Returns the number of answers that clients repeat: 503, and 500 OperationTimedOut. */
  long busy() {
    return busy.get();
  }

  /** Returns the number of requests on admitted connections that got no answer. */
  long broken() {
    return broken.get();
  }

  /** Returns the number of new connections that the server did not admit. */
  long refused() {
    return refused.get();
  }

  /** Returns the number of answers that contradict the protocol or what was stored. */
  long wrong() {
    return wrong.get();
  }

  String firstWrong() {
    return firstWrong;
  }

  /** Returns the keys of entities whose insertion was acknowledged. */
  List<Integer> acknowledged() {
    synchronized (acknowledged) {
      return List.copyOf(acknowledged);
    }
  }

  private void work() {
    while (!ended) {
      round();
    }
  }

  private void round() {
    int number = NUMBERS.incrementAndGet();
    table(number);
    message("m" + number);
    blob(number % 16, new byte[number % 2 == 0 ? 10_000 : 100_000]);
    newConnection();
    rounds.incrementAndGet();
  }

  private void table(int number) {
    String row = String.valueOf(number);
    String json = "{\"PartitionKey\":\"p\",\"RowKey\":\"%s\",\"v\":\"v%s\"}".formatted(row, row);
    WireRequest insert = request(StorageService.TABLE, "POST", "/legit").body(json);
    if (call(StorageService.TABLE, insert, "POST", 201).isPresent()) {
      acknowledged.add(number);
      point(number);
    }
  }

  /** Reads an acknowledged entity. */
  void point(int number) {
    String row = String.valueOf(number);
    WireRequest get = request(StorageService.TABLE, "GET", Keys.path("legit", "p", row));
    call(StorageService.TABLE, get, "GET", 200)
        .ifPresent(answer -> expect(answer.text().contains("\"v" + row + "\""), answer.text()));
  }

  private void message(String text) {
    String xml = "<QueueMessage><MessageText>" + text + "</MessageText></QueueMessage>";
    WireRequest put = request(StorageService.QUEUE, "POST", "/legit/messages").body(xml);
    if (call(StorageService.QUEUE, put, "POST", 201).isEmpty()) {
      return;
    }
    WireRequest get = request(StorageService.QUEUE, "GET", "/legit/messages");
    call(StorageService.QUEUE, get, "GET", 200).ifPresent(answer -> delete(answer.text()));
  }

  private void delete(String message) {
    Matcher text = MESSAGE.matcher(message);
    Matcher id = MESSAGE_ID.matcher(message);
    Matcher receipt = RECEIPT.matcher(message);
    boolean complete = text.find() && id.find() && receipt.find();
    expect(complete && text.group(1).startsWith("m"), message);
    if (complete) {
      String resource =
          "/legit/messages/" + id.group(1) + "?popreceipt=" + Keys.encode(receipt.group(1));
      call(StorageService.QUEUE, request(StorageService.QUEUE, "DELETE", resource), "DELETE", 204);
    }
  }

  private void blob(int name, byte[] content) {
    random.nextBytes(content);
    WireRequest put =
        request(StorageService.BLOB, "PUT", "/legit/b" + name)
            .header("x-ms-blob-type", "BlockBlob")
            .body(content);
    if (call(StorageService.BLOB, put, "PUT", 201).isPresent()) {
      call(StorageService.BLOB, request(StorageService.BLOB, "GET", "/legit/b" + name), "GET", 200)
          .ifPresent(answer -> expect(Arrays.equals(answer.body(), content), "other bytes"));
    }
  }

  private void newConnection() {
    StorageService[] services = StorageService.values();
    StorageService service = services[rounds.get() % services.length];
    try (Connection connection =
        Connection.open(target.account(service), sockets, ANSWER_MILLIS_MAX)) {
      String resource =
          service == StorageService.TABLE ? "/Tables?$top=1" : "/?comp=list&maxresults=1";
      byte[] bytes = request(service, "GET", resource).bytes();
      WireAnswer answer = connection.exchange(bytes, new byte[0], "GET");
      expect(answer.status() == 200 || answer.status() == 503, answer.statusLine());
    } catch (IOException e) {
      refused.addAndGet(ended ? 0 : 1);
    }
  }

  private WireRequest request(StorageService service, String method, String resource) {
    return target.wire(service).request(method, resource);
  }

  /** Sends a request over the kept connection. Returns the answer if it has the wanted status. */
  private Optional<WireAnswer> call(
      StorageService service, WireRequest request, String verb, int wanted) {
    LockSupport.parkNanos(PAUSE_NANOS);
    Connection connection = ended ? null : connection(service);
    if (connection == null) {
      return Optional.empty();
    }
    long begin = System.nanoTime();
    try {
      WireAnswer answer = connection.exchange(request.bytes(), new byte[0], verb);
      admitted.add(service);
      if (!connection.isReusable()) {
        forget(service);
      }
      if (answer.status() == wanted) {
        nanos.add(System.nanoTime() - begin);
        return Optional.of(answer);
      }
      boolean repeatable = answer.status() == 503 || answer.text().contains("OperationTimedOut");
      busy.addAndGet(repeatable ? 1 : 0);
      expect(repeatable, answer.statusLine() + " " + answer.text());
    } catch (IOException e) {
      lost(service, e);
      forget(service);
    }
    return Optional.empty();
  }

  /**
   * Counts a request without an answer. The kernel accepts connections that the server closes at
   * once, so a connection that is closed before its first answer was not admitted.
   */
  private void lost(StorageService service, IOException failure) {
    boolean silent = failure instanceof SocketTimeoutException;
    if (!ended && !silent && !admitted.contains(service)) {
      refused.incrementAndGet();
    } else if (!ended) {
      broken.incrementAndGet();
      note(silent ? "no answer" : String.valueOf(failure.getMessage()));
    }
  }

  private @Nullable Connection connection(StorageService service) {
    Connection open = kept.get(service);
    if (open != null) {
      return open;
    }
    try {
      Connection opened = Connection.open(target.account(service), sockets, ANSWER_MILLIS_MAX);
      kept.put(service, opened);
      return opened;
    } catch (IOException e) {
      refused.addAndGet(ended ? 0 : 1);
      // The next attempt waits, so that a server that is gone is not asked all the time.
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      return null;
    }
  }

  private void forget(StorageService service) {
    admitted.remove(service);
    Connection connection = kept.remove(service);
    if (connection != null) {
      connection.close();
    }
  }

  private void expect(boolean holds, String seen) {
    if (!holds) {
      wrong.incrementAndGet();
      note(seen);
    }
  }

  private void note(String seen) {
    firstWrong =
        firstWrong.isEmpty() ? seen.substring(0, Math.min(200, seen.length())) : firstWrong;
  }

  /** Stops after the current operation. */
  @Override
  public void close() {
    ended = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(2));
      if (thread.isAlive()) {
        // The server does not answer: closing the connection ends the wait.
        List.copyOf(kept.values()).forEach(Connection::close);
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kept.values().forEach(Connection::close);
  }
}
