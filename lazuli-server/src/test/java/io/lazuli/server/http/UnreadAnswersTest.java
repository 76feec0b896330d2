package io.lazuli.server.http;

import static io.lazuli.server.http.EchoService.HEAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that do not read their answers hold a bounded number of bytes, for a bounded time. */
class UnreadAnswersTest {
  private static final int MIB = 1 << 20;

  /** More than the sockets of a connection hold. */
  private static final byte[] LARGE = random(12 * MIB);

  private static final byte[] SMALL = random(60 << 10);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration BRIEF = Duration.ofMillis(200);

  private final List<Socket> sockets = new ArrayList<>();

  /** Completes the answers to {@code /late}. */
  private final CompletableFuture<Response> late = new CompletableFuture<>();

  private AnswerBudget budget;
  private EchoService service;

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    service.close();
  }

  private void start(long bytesMax, Duration stallTimeMax, Duration shortTimeMax) {
    budget = new AnswerBudget(bytesMax, stallTimeMax, shortTimeMax);
    service = EchoService.holding(this::answer, budget, new WorkerPool("test-worker", 4, 64));
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  // The service

  private CompletionStage<Response> answer(Request request) {
    return switch (request.address().path()) {
      case "/late" -> late;
      case "/array" -> done(Response.of(200).body("text/plain", LARGE));
      case "/small" -> done(Response.of(200).body("text/plain", SMALL));
      case "/encoded" -> done(Response.of(200).body("text/plain", encoded(request)));
      case "/pulled" -> done(Response.of(200).body(pulled()));
      case "/failing" -> {
        AnswerBuffer.encode(
            request.answers(),
            out -> {
              out.add(LARGE);
              throw new IllegalStateException("a record is damaged");
            });
        throw new AssertionError();
      }
      default -> throw new IllegalArgumentException(request.address().path());
    };
  }

  private static CompletionStage<Response> done(Response.Builder response) {
    return CompletableFuture.completedFuture(response.build());
  }

  /** Returns a buffer with pieces of many lengths. */
  private static AnswerBuffer encoded(Request request) {
    return AnswerBuffer.encode(
        request.answers(),
        out -> {
          int from = 0;
          for (int length = 1; from < LARGE.length; length = length * 3 % 300_007) {
            int to = Math.min(LARGE.length, from + length);
            out.add(Arrays.copyOfRange(LARGE, from, to));
            from = to;
          }
        });
  }

  private StreamedBody.Pulled pulled() {
    ByteBuffer left = ByteBuffer.wrap(LARGE);
    BodySource source =
        new BodySource() {
          @Override
          public CompletionStage<@Nullable Void> read(ByteBuffer target) {
            int count = Math.min(target.remaining(), left.remaining());
            target.put(left.slice().limit(count));
            left.position(left.position() + count);
            return CompletableFuture.completedFuture(null);
          }

          @Override
          public void close() {}
        };
    return new StreamedBody.Pulled(source, LARGE.length, service.workers);
  }

  // Clients

  private RawConnection connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.listener.port());
    sockets.add(socket);
    return new RawConnection(socket);
  }

  private RawConnection ask(String method, String path) throws IOException {
    return connect().send(method + " /acct" + path + HEAD + "Content-Length: 0\r\n\r\n");
  }

  /** Sends a request and reads the head of its answer. */
  private Answer head(String path) throws IOException {
    return ask("GET", path).answerWithoutBody();
  }

  /** Asks until an answer is refused. Returns the refusal. */
  private Answer askUntilRefused(String path) throws IOException {
    for (int clients = 0; clients < 20; clients++) {
      RawConnection client = ask("GET", path);
      Answer head = client.answerWithoutBody();
      if (head.status() != 200) {
        return head;
      }
    }
    throw new AssertionError("no answer was refused");
  }

  private void awaitNothingHeld() {
    await().untilAsserted(() -> assertThat(budget.heldBytes()).isZero());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/array", "/encoded"})
  void largeAnswersAreRefusedOnceTooManyBytesAreHeld(String path) throws IOException {
    start(48 * MIB, LONG, LONG);
    Answer refusal = askUntilRefused(path);
    assertThat(refusal.status()).isEqualTo(503);
    assertThat(refusal.header("x-ms-error-code")).isEqualTo("ServerBusy");
    assertThat(budget.heldBytes()).isBetween(16L * MIB, 36L * MIB);
  }

  @Test
  void smallAnswersAreNotRefused() throws IOException {
    start(48 * MIB, LONG, LONG);
    askUntilRefused("/encoded");
    RawConnection client = connect();
    for (int i = 0; i < 100; i++) {
      Answer small = client.ask("GET /acct/small" + HEAD + "\r\n");
      assertThat(small.status()).isEqualTo(200);
    }
    assertThat(budget.heldBytes()).isLessThanOrEqualTo(36L * MIB);
  }

  @ParameterizedTest
  @CsvSource({"/array, false", "/array, true", "/encoded, false", "/encoded, true"})
  void clientsThatDisconnectGiveEverythingBack(String path, boolean reset) throws IOException {
    start(48 * MIB, LONG, LONG);
    askUntilRefused(path);
    for (Socket socket : sockets) {
      socket.setSoLinger(reset, 0);
      socket.close();
    }
    awaitNothingHeld();
    assertThat(head(path).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/array", "/encoded", "/pulled"})
  void aClientThatTakesNothingIsDisconnected(String path) throws IOException {
    start(48 * MIB, BRIEF, LONG);
    head(path);
    await().untilAsserted(() -> assertThat(service.listener.connections()).isZero());
    awaitNothingHeld();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/array", "/encoded"})
  void whileMemoryIsShortAClientMustHurry(String path) throws IOException {
    start(18 * MIB, LONG, BRIEF);
    head(path);
    await().untilAsserted(() -> assertThat(service.listener.connections()).isZero());
    awaitNothingHeld();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/array", "/encoded", "/pulled"})
  void aClientThatReadsGetsEverything(String path) throws IOException {
    start(48 * MIB, Duration.ofSeconds(20), Duration.ofSeconds(20));
    RawConnection client = connect();
    for (int i = 0; i < 2; i++) {
      client.send("GET /acct" + path + HEAD + "\r\n");
      Answer head = client.answerWithoutBody();
      assertThat(head.header("Content-Length")).isEqualTo(Integer.toString(LARGE.length));
      assertThat(client.bytes(LARGE.length)).isEqualTo(LARGE);
    }
    awaitNothingHeld();
  }

  @Test
  void slowReadersOfContentHoldOnePieceEachWhileMemoryIsShort() throws IOException {
    start(4 * OutgoingBody.PIECE_BYTES, LONG, LONG);
    List<RawConnection> slow = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      slow.add(ask("GET", "/pulled"));
      assertThat(slow.get(i).answerWithoutBody().status()).isEqualTo(200);
    }
    assertThat(head("/pulled").status()).isEqualTo(503);
    assertThat(budget.heldBytes()).isEqualTo(3 * OutgoingBody.PIECE_BYTES);
    for (RawConnection client : slow) {
      assertThat(client.bytes(LARGE.length)).isEqualTo(LARGE);
    }
    awaitNothingHeld();
    assertThat(head("/pulled").status()).isEqualTo(200);
  }

  @Test
  void theAnswerToAChangeIsCutOffInsteadOfRefused() throws IOException {
    start(8 * MIB, LONG, LONG);
    assertThat(head("/array").status()).isEqualTo(503);
    assertThat(ask("POST", "/array").isClosedByServer()).isTrue();
    awaitNothingHeld();
  }

  @Test
  void theAnswerToAChangeMayUseTheReserve() throws IOException {
    start(14 * MIB, LONG, LONG);
    assertThat(head("/array").status()).isEqualTo(503);
    assertThat(ask("POST", "/array").answerWithoutBody().status()).isEqualTo(200);
  }

  @Test
  void smallAnswersThatNobodyReadsEndTheConnectionOnceTheReserveIsUsedUp() throws IOException {
    start(100 << 10, LONG, LONG);
    RawConnection client = connect();
    String request = "GET /acct/small" + HEAD + "\r\n";
    client.send(request.repeat(400));
    await().untilAsserted(() -> assertThat(service.listener.connections()).isZero());
    awaitNothingHeld();
  }

  @Test
  void smallAnswersThatNobodyReadsEndTheConnectionAfterAWhile() throws IOException {
    start(48 * MIB, BRIEF, LONG);
    connect().send(("GET /acct/small" + HEAD + "\r\n").repeat(400));
    await().untilAsserted(() -> assertThat(service.listener.connections()).isZero());
    awaitNothingHeld();
  }

  @Test
  void anEncodingThatFailsHoldsNothing() throws IOException {
    start(48 * MIB, LONG, LONG);
    assertThat(head("/failing").status()).isEqualTo(500);
    assertThat(budget.heldBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAnswerForAClientThatIsGoneHoldsNothing(boolean isCharged) throws IOException {
    start(48 * MIB, LONG, LONG);
    ask("GET", "/late");
    await().untilAsserted(() -> assertThat(service.workers.waiting()).isZero());
    // The end of the client's output alone would not say that it is gone.
    sockets.get(0).setSoLinger(true, 0);
    sockets.get(0).close();
    await().untilAsserted(() -> assertThat(service.listener.connections()).isZero());
    late.complete(
        isCharged
            ? Response.of(200)
                .body("text/plain", AnswerBuffer.encode(budget, out -> out.add(LARGE)))
                .build()
            : Response.of(200).body("text/plain", LARGE).build());
    await().untilAsserted(() -> assertThat(service.events).hasSize(1));
    assertThat(budget.heldBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/array", "/encoded"})
  void theAnswerToHeadHoldsNothing(String path) throws IOException {
    start(48 * MIB, LONG, LONG);
    Answer head = ask("HEAD", path).answerWithoutBody();
    assertThat(head.header("Content-Length")).isEqualTo(Integer.toString(LARGE.length));
    awaitNothingHeld();
  }
}
