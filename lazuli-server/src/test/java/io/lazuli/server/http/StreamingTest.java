package io.lazuli.server.http;

import static io.lazuli.server.http.EchoService.HEAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams bodies in bounded memory, in both directions, over real sockets. */
class StreamingTest {
  private static final int MIB = 1 << 20;
  private static final byte[] BLOCK = block();

  private final AtomicInteger aborted = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong pulled = new AtomicLong();
  private final Set<Integer> windows = ConcurrentHashMap.newKeySet();

  /** The number of times that the sink may take or the source may give. */
  private final Semaphore turns = new Semaphore(Integer.MAX_VALUE / 2);

  private BodyLimits limits = new BodyLimits(100L * MIB, 1, Duration.ofMinutes(1));
  private EchoService service = start(Duration.ofSeconds(30), 100 * MIB);

  @AfterEach
  void close() throws IOException {
    turns.release(1_000_000);
    service.close();
  }

  private EchoService start(Duration idleTimeout, long budgetBytes) {
    return EchoService.streaming(
        this::answer,
        new ByteBudget(budgetBytes),
        new WorkerPool("test-worker", 4, 16),
        idleTimeout);
  }

  private void restart(Duration idleTimeout, long budgetBytes) {
    service.close();
    service = start(idleTimeout, budgetBytes);
  }

  // The service

  private CompletionStage<Response> answer(Request request) {
    String path = request.address().path();
    int length =
        path.lastIndexOf('/') > 0 ? Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)) : 0;
    begun.incrementAndGet();
    return switch (path.substring(1, path.indexOf('/', 1))) {
      case "sink" ->
          request.content().stream(limits, new CheckSum(), service.workers)
              .thenApply(sum -> text(200, sum));
      case "broken" ->
          request.content().stream(limits, new BrokenSink(length), service.workers)
              .thenApply(sum -> text(200, sum));
      case "refuse" -> throw CommonErrors.RESOURCE_NOT_FOUND.exception();
      case "pull" ->
          done(new StreamedBody.Pulled(new Blocks(Long.MAX_VALUE), length, service.workers));
      case "tear" -> done(new StreamedBody.Pulled(new Blocks(length / 2), length, service.workers));
      case "events" -> done(new StreamedBody.Events(MIB, closed::incrementAndGet));
      case "head" -> done(new StreamedBody.Announced(5_000_000_000L));
      case "unmodified" ->
          CompletableFuture.completedFuture(Response.of(304).header("ETag", "\"1\"").build());
      default -> throw new IllegalArgumentException(path);
    };
  }

  private static CompletionStage<Response> done(StreamedBody body) {
    return CompletableFuture.completedFuture(
        Response.of(206).header("Content-Range", "bytes 5-9/10").body(body).build());
  }

  private static Response text(int status, String text) {
    return Response.of(status).body("text/plain", text.getBytes(StandardCharsets.UTF_8)).build();
  }

  /** Returns the length and checksum of all bytes. */
  private final class CheckSum implements BodySink<String> {
    private final CRC32 crc = new CRC32();
    private long length;

    @Override
    public CompletionStage<@Nullable Void> take(ByteBuffer bytes) {
      turns.acquireUninterruptibly();
      windows.add(System.identityHashCode(bytes));
      assertThat(bytes.remaining())
          .isLessThanOrEqualTo(IncomingBody.WINDOW_BYTES + Exchange.CHUNK_BYTES_MAX);
      length += bytes.remaining();
      taken.addAndGet(bytes.remaining());
      crc.update(bytes);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public String end() {
      return length + " " + crc.getValue();
    }

    @Override
    public void abort() {
      aborted.incrementAndGet();
    }
  }

  /** Fails once it got more than so many bytes, or at the end. */
  private final class BrokenSink implements BodySink<String> {
    private long left;

    BrokenSink(long left) {
      this.left = left;
    }

    @Override
    public CompletionStage<@Nullable Void> take(ByteBuffer bytes) {
      left -= bytes.remaining();
      if (left < 0) {
        throw CommonErrors.INVALID_HEADER_VALUE.exception();
      }
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public String end() {
      throw CommonErrors.INVALID_HEADER_VALUE.exception();
    }

    @Override
    public void abort() {
      aborted.incrementAndGet();
    }
  }

  /** Repeats the same block, up to the point where it fails. */
  private final class Blocks implements BodySource {
    private final long end;
    private long at;

    Blocks(long end) {
      this.end = end;
    }

    @Override
    public CompletionStage<@Nullable Void> read(ByteBuffer target) {
      turns.acquireUninterruptibly();
      if (at >= end) {
        throw new IllegalStateException("on purpose");
      }
      while (target.hasRemaining()) {
        int from = (int) (at % BLOCK.length);
        int part = Math.min(target.remaining(), BLOCK.length - from);
        target.put(BLOCK, from, part);
        at += part;
      }
      pulled.set(at);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  // Requests

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 128 << 10, (128 << 10) + 1, 136 << 10, (136 << 10) + 1, 64 * MIB})
  void aBodyReachesTheSinkInTwoWindows(int length) throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("PUT /acct/sink/0" + HEAD + "Content-Length: " + length + "\r\n\r\n");
      assertThat(sendBlocks(connection, length).answer().body()).isEqualTo(checksum(length));
      assertThat(windows).hasSizeLessThanOrEqualTo(2);
      assertThat(service.budget.heldBytes()).isZero();
      assertThat(aborted).hasValue(0);
      connection.send("PUT /acct/sink/0" + HEAD + "Content-Length: 3\r\n\r\nabcGET /acct/pull/7");
      assertThat(connection.answer().body()).startsWith("3 ");
      assertThat(connection.ask(HEAD + "\r\n").status()).isEqualTo(206);
    }
  }

  @Test
  void anEmptyBodyEndsAtOnce() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer = connection.ask("PUT /acct/sink/0" + HEAD + "Content-Length: 0\r\n\r\n");
      assertThat(answer.body()).isEqualTo("0 0");
      assertThat(connection.ask("GET /acct/pull/7" + HEAD + "\r\n").status()).isEqualTo(206);
    }
  }

  @Test
  void aBodyHoldsItsWindowsAndNoMore() throws IOException {
    turns.drainPermits();
    try (RawConnection connection = service.connect()) {
      connection.send("PUT /acct/sink/0" + HEAD + "Content-Length: " + 64 * MIB + "\r\n\r\n");
      CompletableFuture<Void> sender = sendLater(connection, 64 * MIB);
      await().until(() -> service.budget.heldBytes() > 0);
      // The sink holds one window; the other fills, and the client is held back.
      await().during(Duration.ofMillis(300)).until(() -> !sender.isDone());
      assertThat(taken).hasValue(0);
      assertThat(service.budget.heldBytes())
          .isEqualTo(2 * (IncomingBody.WINDOW_BYTES + Exchange.CHUNK_BYTES_MAX));
      turns.release(1_000_000);
      assertThat(connection.answer().body()).isEqualTo(checksum(64 * MIB));
      assertThat(sender).succeedsWithin(Duration.ofSeconds(10));
    }
  }

  @Test
  void bodiesForWhichThereIsNoMemoryAreRefused() throws IOException {
    restart(Duration.ofSeconds(30), 280 << 10);
    turns.drainPermits();
    try (RawConnection first = service.connect();
        RawConnection second = service.connect()) {
      first.send("PUT /acct/sink/0" + HEAD + "Content-Length: 200000\r\n\r\n");
      await().until(() -> service.budget.heldBytes() > 0);
      Answer busy =
          second.ask(
              "PUT /acct/sink/0" + HEAD + "Content-Length: 20000\r\n\r\n" + "x".repeat(20000));
      assertThat(busy.header("x-ms-error-code")).isEqualTo("ServerBusy");
      assertThat(aborted).hasValue(1);
      turns.release(1_000);
      assertThat(sendBlocks(first, 200_000).answer().status()).isEqualTo(200);
      assertThat(second.ask("GET /acct/pull/7" + HEAD + "\r\n").status()).isEqualTo(206);
    }
  }

  @Test
  void aLengthMustBeAnnounced() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer none = connection.ask("PUT /acct/sink/0" + HEAD + "\r\n");
      assertThat(none.status()).isEqualTo(411);
      assertThat(none.header("x-ms-error-code")).isEqualTo("MissingContentLengthHeader");
      Answer chunked =
          connection.ask(
              "PUT /acct/sink/0"
                  + HEAD
                  + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
      assertThat(chunked.status()).isEqualTo(411);
      assertThat(connection.ask("GET /acct/pull/7" + HEAD + "\r\n").status()).isEqualTo(206);
      assertThat(aborted).hasValue(2);
    }
  }

  @Test
  void aBodyThatIsTooLongIsRefusedBeforeItIsSent() throws IOException {
    try (RawConnection connection = service.connect()) {
      String head = "PUT /acct/sink/0" + HEAD + "Expect: 100-continue\r\nContent-Length: ";
      Answer answer = connection.ask(head + (100L * MIB + 1) + "\r\n\r\n");
      assertThat(answer.status()).isEqualTo(413);
      assertThat(answer.header("Connection")).isEqualTo("close");
    }
  }

  @Test
  void aWaitingClientIsAskedForItsBodyWhenTheEndpointWantsIt() throws IOException {
    try (RawConnection connection = service.connect()) {
      String head = HEAD + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n";
      connection.send("PUT /acct/sink/0" + head);
      assertThat(connection.answerWithoutBody().status()).isEqualTo(100);
      assertThat(connection.ask("abc").body()).startsWith("3 ");
      Answer refused = connection.ask("PUT /acct/refuse/0" + head);
      assertThat(refused.status()).isEqualTo(404);
      assertThat(refused.header("Connection")).isEqualTo("close");
    }
  }

  @Test
  void aClientThatDisconnectsDuringItsBodyAbortsTheSink() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("PUT /acct/sink/0" + HEAD + "Content-Length: " + MIB + "\r\n\r\n");
      sendBlocks(connection, 500_000);
      await().until(() -> taken.get() > 0);
    }
    await().until(() -> aborted.get() == 1);
    await().until(() -> !service.events.isEmpty());
    assertThat(service.events.get(0).errorCode()).isEqualTo("ClientClosedConnection");
    assertThat(service.budget.heldBytes()).isZero();
  }

  @Test
  void aClientThatDisconnectsWhileHeldBackAbortsTheSinkOnceItIsDone() throws IOException {
    turns.drainPermits();
    try (RawConnection connection = service.connect()) {
      connection.send("PUT /acct/sink/0" + HEAD + "Content-Length: " + 64 * MIB + "\r\n\r\n");
      sendBlocks(connection, 400 << 10);
      await().until(() -> service.budget.heldBytes() > 0);
    }
    await().during(Duration.ofMillis(200)).until(() -> aborted.get() == 0);
    turns.release(1_000);
    await().until(() -> aborted.get() == 1);
    await().until(() -> service.budget.heldBytes() == 0);
  }

  @Test
  void aClientThatIsTooSlowIsRefused() throws IOException {
    limits = new BodyLimits(100L * MIB, 1_000, Duration.ofMillis(300));
    try (RawConnection connection = service.connect()) {
      connection.send("PUT /acct/sink/0" + HEAD + "Content-Length: 5000\r\n\r\n" + "x".repeat(999));
      Answer answer = connection.answer();
      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.header("x-ms-error-code")).isEqualTo("OperationTimedOut");
      assertThat(aborted).hasValue(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 200_000, 5 * MIB})
  void aFailingSinkDecidesTheAnswerAndTheConnectionContinues(int failsAfter) throws IOException {
    try (RawConnection connection = service.connect()) {
      String path = "PUT /acct/broken/" + failsAfter;
      connection.send(path + HEAD + "Content-Length: " + 2 * MIB + "\r\n\r\n");
      Answer answer = sendBlocks(connection, 2 * MIB).answer();
      assertThat(answer.header("x-ms-error-code")).isEqualTo("InvalidHeaderValue");
      assertThat(aborted).hasValue(1);
      assertThat(connection.ask("GET /acct/pull/7" + HEAD + "\r\n").status()).isEqualTo(206);
    }
  }

  @Test
  void anAnswerBeforeTheBodyReachesAClientThatIsStillSending() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("PUT /acct/refuse/0" + HEAD + "Content-Length: " + 4 * MIB + "\r\n\r\n");
      assertThat(sendBlocks(connection, 4 * MIB).answer().status()).isEqualTo(404);
      assertThat(connection.ask("GET /acct/pull/7" + HEAD + "\r\n").status()).isEqualTo(206);
    }
    try (RawConnection connection = service.connect()) {
      connection.send("PUT /acct/refuse/0" + HEAD + "Content-Length: " + 64 * MIB + "\r\n\r\n");
      assertThat(connection.answer().status()).isEqualTo(404);
      CompletableFuture<Void> sender = sendLater(connection, 64 * MIB);
      assertThat(connection.isClosedByServer()).isTrue();
      assertThat(sender).failsWithin(Duration.ofSeconds(10));
    }
  }

  // Answers

  @ParameterizedTest
  @ValueSource(ints = {1, 65_536, 65_537, 64 * MIB})
  void aPulledBodyIsSentWhole(int length) throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("GET /acct/pull/" + length + HEAD + "\r\nGET /acct/pull/3" + HEAD + "\r\n");
      Answer head = connection.answerWithoutBody();
      assertThat(head.status()).isEqualTo(206);
      assertThat(head.header("Content-Range")).isEqualTo("bytes 5-9/10");
      assertThat(head.header("Content-Length")).isEqualTo("" + length);
      assertBlocks(connection, length, 0);
      assertThat(connection.answerWithoutBody().header("Content-Length")).isEqualTo("3");
      await().until(() -> closed.get() == 2);
    }
  }

  @Test
  void headHasTheLengthOfTheBodyThatIsNotSent() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer head = connection.send("HEAD /acct/head/0" + HEAD + "\r\n").answerWithoutBody();
      assertThat(head.header("Content-Length")).isEqualTo("5000000000");
      Answer pull = connection.send("HEAD /acct/pull/77" + HEAD + "\r\n").answerWithoutBody();
      assertThat(pull.header("Content-Length")).isEqualTo("77");
      assertThat(connection.ask("GET /acct/pull/7" + HEAD + "\r\n").status()).isEqualTo(206);
      await().until(() -> closed.get() == 2);
    }
  }

  @Test
  void anUnmodifiedAnswerHasTheLengthZeroAndNoBody() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer = connection.ask("GET /acct/unmodified/0" + HEAD + "\r\n");
      assertThat(answer.status()).isEqualTo(304);
      assertThat(answer.header("ETag")).isEqualTo("\"1\"");
      assertThat(answer.header("Content-Length")).isEqualTo("0");
      assertThat(connection.ask("GET /acct/pull/7" + HEAD + "\r\n").status()).isEqualTo(206);
    }
  }

  @Test
  void aClientThatReadsNothingHoldsTheSourceBackAndGetsAllLater() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("GET /acct/pull/" + 64 * MIB + HEAD + "\r\n");
      long ahead = awaitStandstill();
      // This is the capacity of the sockets on both sides, plus three pieces.
      assertThat(ahead).isLessThan(32 * MIB);
      assertThat(service.events).isEmpty();
      connection.answerWithoutBody();
      assertBlocks(connection, 64 * MIB, 0);
      await().until(() -> closed.get() == 1);
    }
    await().until(() -> service.events.size() == 1);
    Transfer transfer = service.events.get(0).transfer();
    assertThat(transfer.complete()).isTrue();
    assertThat(transfer.bytesOut()).isEqualTo(64L * MIB);
    assertThat(transfer.serverNanos()).isLessThan(transfer.nanos());
  }

  /** The time in which a client sends is not counted as the server's. */
  @Test
  void anUploadIsOverWhenItIsAnswered() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("PUT /acct/sink/0" + HEAD + "Content-Length: " + MIB + "\r\n\r\n");
      sendBlocks(connection, 500_000);
      await().until(() -> taken.get() > 0);
      sendBlocks(connection, MIB - 500_000);
      assertThat(connection.answer().status()).isEqualTo(200);
    }
    await().until(() -> service.events.size() == 1);
    Transfer transfer = service.events.get(0).transfer();
    assertThat(transfer.bytesIn()).isEqualTo(MIB);
    assertThat(transfer.serverNanos()).isLessThan(transfer.nanos());
  }

  @Test
  void aClientThatStopsReadingIsCutOff() throws IOException {
    restart(Duration.ofSeconds(1), MIB);
    try (RawConnection connection = service.connect()) {
      connection.send("GET /acct/pull/" + 64 * MIB + HEAD + "\r\n");
      await().until(() -> closed.get() == 1);
      connection.answerWithoutBody();
      assertThat(connection.bytes(64 * MIB).length).isLessThan(64 * MIB);
    }
  }

  @Test
  void aClientThatGoesAwayInTheMiddleOfItsAnswerLeavesNothing() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("GET /acct/pull/" + 64 * MIB + HEAD + "\r\n");
      connection.answerWithoutBody();
      connection.bytes(100_000);
    }
    await().until(() -> closed.get() == 1);
    await().until(() -> service.listener.connections() == 0);
    await().until(() -> service.events.size() == 1);
    assertThat(service.events.get(0).transfer().complete()).isFalse();
  }

  @Test
  void aSourceThatFailsEndsTheConnection() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("GET /acct/tear/" + 4 * MIB + HEAD + "\r\n");
      assertThat(connection.answerWithoutBody().header("Content-Length")).isEqualTo("" + 4 * MIB);
      assertThat(connection.bytes(4 * MIB).length).isLessThanOrEqualTo(2 * MIB);
      await().until(() -> closed.get() == 1);
    }
  }

  // Bytes

  private static byte[] block() {
    byte[] block = new byte[100_003];
    new Random(1).nextBytes(block);
    return block;
  }

  private static RawConnection sendBlocks(RawConnection connection, int length) throws IOException {
    for (int sent = 0; sent < length; ) {
      int part = Math.min(BLOCK.length, length - sent);
      connection.send(part == BLOCK.length ? BLOCK : Arrays.copyOf(BLOCK, part));
      sent += part;
    }
    return connection;
  }

  private static CompletableFuture<Void> sendLater(RawConnection connection, int length) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            sendBlocks(connection, length);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static String checksum(int length) {
    CRC32 crc = new CRC32();
    for (int done = 0; done < length; done += BLOCK.length) {
      crc.update(BLOCK, 0, Math.min(BLOCK.length, length - done));
    }
    return length + " " + crc.getValue();
  }

  private static void assertBlocks(RawConnection connection, int length, int offset)
      throws IOException {
    for (int at = offset; at < offset + length; ) {
      int from = at % BLOCK.length;
      int part = Math.min(BLOCK.length - from, offset + length - at);
      assertThat(connection.bytes(part)).isEqualTo(Arrays.copyOfRange(BLOCK, from, from + part));
      at += part;
    }
  }

  /** Waits until the source is no longer asked for bytes, and returns how many it gave. */
  private long awaitStandstill() {
    AtomicLong last = new AtomicLong(-1);
    await().until(() -> pulled.get() > 0);
    await()
        .pollInterval(Duration.ofMillis(300))
        .until(() -> last.getAndSet(pulled.get()) == pulled.get());
    return pulled.get();
  }

  @Test
  void anAnswerWithoutEndEndsWhenTheClientLeaves() throws IOException {
    try (RawConnection left = service.connect();
        RawConnection leaving = service.connect()) {
      left.send("GET /acct/events/0" + HEAD + "\r\n").endOutput();
      leaving.send("GET /acct/events/0" + HEAD + "\r\n");
      await().until(() -> begun.get() == 2 && closed.get() == 1);
      leaving.endOutput();
      await().until(() -> closed.get() == 2);
    }
  }
}
