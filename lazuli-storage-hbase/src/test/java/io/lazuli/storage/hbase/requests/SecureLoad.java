package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * One client that writes and reads entities, and now and then a blob whose chunks are files. The
 * blobs are so rare that connections to the name node are closed in between. Thread-safe.
 */
final class SecureLoad implements AutoCloseable {
  /** A text that is in every entity and in every blob. */
  static final String MARK = "nobody-may-read-this-text-on-its-way";

  private static final Duration BLOB_INTERVAL = Duration.ofSeconds(15);
  private static final int BLOB_BYTES = 3 << 20;

  private final TestAccount account;
  private final Thread thread = new Thread(this::run, "secure-load");
  private final AtomicInteger entities = new AtomicInteger();
  private final AtomicInteger blobs = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;

  private SecureLoad(TestAccount account) {
    this.account = account;
  }

  static SecureLoad start(TestAccount account) {
    SecureLoad load = new SecureLoad(account);
    load.thread.setDaemon(true);
    load.thread.start();
    return load;
  }

  private void run() {
    try (SignedConnection tables = account.connect(Service.TABLE);
        SignedConnection files = account.connect(Service.BLOB)) {
      String name = "load" + System.nanoTime();
      String table = "{\"TableName\":\"" + name + "\"}";
      expect(204, () -> tables.send("POST", "/Tables", table));
      expect(201, () -> files.send("PUT", "/" + name + "?restype=container", ""));
      long nextBlob = System.nanoTime();
      for (int i = 0; !ended; i++) {
        String path = "/" + name + "(PartitionKey='p',RowKey='r" + i + "')";
        String body = "{\"text\":\"" + MARK + "\"}";
        expect(204, () -> tables.send("PUT", path, body));
        Answer read = expect(200, () -> tables.send("GET", path, ""));
        if (!read.text().contains(MARK) && !ended) {
          wrong.add(read.text());
        }
        entities.incrementAndGet();
        if (System.nanoTime() - nextBlob >= 0) {
          blob(files, "/" + name + "/b" + i, i);
          nextBlob = System.nanoTime() + BLOB_INTERVAL.toNanos();
        }
        PacedClients.pass(Duration.ofMillis(50));
      }
    } catch (IOException | RuntimeException e) {
      if (!ended) {
        wrong.add(e.toString());
      }
    }
  }

  private void blob(SignedConnection files, String path, int seed) throws IOException {
    byte[] content = new byte[BLOB_BYTES];
    new Random(seed).nextBytes(content);
    byte[] mark = MARK.getBytes(UTF_8);
    System.arraycopy(mark, 0, content, BLOB_BYTES / 2, mark.length);
    Map<String, String> headers = Map.of("x-ms-blob-type", "BlockBlob");
    expect(201, () -> files.send("PUT", path, headers, content));
    Answer read = expect(200, () -> files.send("GET", path, ""));
    if (!Arrays.equals(read.body(), content) && !ended) {
      wrong.add("another content of " + path);
    }
    blobs.incrementAndGet();
  }

  /** Sends a request, as often as the server is too busy for it. It may be repeated. */
  private Answer expect(int status, Request request) throws IOException {
    Answer answer = request.send();
    while (answer.isRefused() && !ended) {
      refused.incrementAndGet();
      PacedClients.pass(Duration.ofMillis(200));
      answer = request.send();
    }
    if (answer.status() != status && !ended) {
      wrong.add(answer.status() + " " + answer.text());
    }
    return answer;
  }

  /** A request, which can be sent again. */
  private interface Request {
    Answer send() throws IOException;
  }

  /** Waits until more entities and one more blob were written and read. */
  void awaitMore(Duration wait) {
    int entitiesBefore = entities.get();
    int blobsBefore = blobs.get();
    Awaitility.await()
        .atMost(wait)
        .until(
            () ->
                !wrong.isEmpty()
                    || (entities.get() > entitiesBefore + 10 && blobs.get() > blobsBefore));
    requireNoWrongAnswers();
  }

  void requireNoWrongAnswers() {
    assertThat(wrong).isEmpty();
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    thread.join();
    requireNoWrongAnswers();
  }

  @Override
  public String toString() {
    return "%s entities and %s blobs were written and read, %s requests refused"
        .formatted(entities, blobs, refused);
  }
}
