package io.lazuli.server.http;

import static io.lazuli.server.http.EchoService.HEAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestFlowTest {
  private static final String NOBODY = " HTTP/1.1\r\nHost: localhost\r\n";
  private static final int BUDGET_BYTES = 64 << 10;

  private static final List<String> AMBIGUOUS =
      List.of(
          "x: a\r\n b\r\n",
          "x: a\r\n\tb\r\n",
          "x: a\r\n \r\n",
          " x: a\r\n",
          ": a\r\n",
          " : a\r\n",
          "x : a\r\n",
          "x\r\n",
          "x\u0000: a\r\n",
          "x: a\u0000\r\n",
          "x: a\rb\r\n",
          "x: a\r\r\n",
          "x\u000b: a\r\n",
          "Transfer-Encoding: gzip, chunked\r\n",
          "Transfer-Encoding: chunked, chunked\r\n",
          "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
          "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
          "Transfer-Encoding: identity\r\n",
          "Transfer-Encoding: xchunked\r\n",
          "Transfer-Encoding: chunked;q=1\r\n",
          "Transfer-Encoding:\r\n",
          "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
          "Content-Length: 3\r\nTransfer-Encoding: gzip\r\n",
          "Content-Length: 3\r\nContent-Length: 3\r\n",
          "Content-Length: 3, 3\r\n",
          "Content-Length: 0x3\r\n");

  private final ByteBudget heads = new ByteBudget(BUDGET_BYTES);
  private final Connections connections = EchoService.connections(1000);
  private final AtomicInteger reached = new AtomicInteger();
  private final CompletableFuture<Response> held = new CompletableFuture<>();
  private final EchoService service = EchoService.withHeads(this::answer, connections, heads);

  /** Whatever a test did, nothing stays counted. */
  @AfterEach
  void nothingIsLeft() {
    await().until(() -> connections.open() == 0);
    await().until(() -> heads.heldBytes() == 0);
    service.close();
  }

  private CompletableFuture<Response> answer(Request request) {
    reached.incrementAndGet();
    if (request.rawPath().contains("held")) {
      return held;
    }
    if (request.rawPath().contains("large")) {
      return CompletableFuture.completedFuture(
          Response.of(200).body("text/plain", new byte[4 << 20]).build());
    }
    return EchoService.echo(request);
  }

  @Test
  void aHeadWithTooManyHeadersIsRefused() throws IOException {
    EchoService roomy =
        EchoService.withHeads(this::answer, EchoService.connections(10), new ByteBudget(1 << 20));
    try (roomy;
        RawConnection connection = roomy.connect()) {
      Answer answer = connection.ask("GET /acct/t" + HEAD + "a:\r\n".repeat(4095));
      assertThat(answer.status()).isEqualTo(431);
      assertThat(answer.header("x-ms-error-code")).isEqualTo("InvalidHeaderValue");
      assertThat(connection.isClosedByServer()).isTrue();
      await().until(() -> roomy.heads.heldBytes() == 0);
    }
  }

  /** The most pairs that 8,192 characters of names and values can be: 3,081, without values. */
  @Test
  void metadataInTheShortestPairsIsAccepted() throws IOException {
    String first = "abcdefghijklmnopqrstuvwxyz_";
    String next = first + "0123456789";
    List<String> names = new ArrayList<>(List.of(first.split("")));
    for (int i = 0; names.size() < 3081; i++) {
      String begin = names.get(i);
      next.chars().forEach(c -> names.add(begin + (char) c));
    }
    StringBuilder head = new StringBuilder("GET /acct/t" + HEAD);
    names.subList(0, 3081).forEach(name -> head.append("x-ms-meta-").append(name).append(":\r\n"));
    assertThat(names.subList(0, 3081).stream().mapToInt(String::length).sum())
        .isBetween(8190, 8192);
    for (int i = 0; i < 30; i++) {
      head.append("x-other-").append(i).append(": value\r\n");
    }
    EchoService roomy =
        EchoService.withHeads(this::answer, EchoService.connections(10), new ByteBudget(1 << 20));
    try (roomy;
        RawConnection connection = roomy.connect()) {
      assertThat(connection.ask(head + "\r\n").status()).isEqualTo(200);
      assertThat(connection.ask(head + "\r\n").status()).isEqualTo(200);
      await().until(() -> roomy.heads.heldBytes() == 0);
    }
  }

  @Test
  void unfinishedHeadsBeyondTheBudgetAreRefusedAndSmallRequestsServed() throws IOException {
    List<RawConnection> unfinished = new ArrayList<>();
    // Each takes 200 * (128 + 4) bytes, of which 8 KiB are its own.
    String head = "GET /acct/t" + HEAD + "a:\r\n".repeat(200);
    for (int i = 0; i < 3; i++) {
      unfinished.add(service.connect().send(head));
    }
    await().until(() -> heads.heldBytes() == 60 << 10);
    try (RawConnection refused = service.connect();
        RawConnection small = service.connect()) {
      Answer busy = refused.ask(head);
      assertThat(busy.status()).isEqualTo(503);
      assertThat(busy.header("x-ms-error-code")).isEqualTo("ServerBusy");
      assertThat(refused.isClosedByServer()).isTrue();
      assertThat(small.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
      assertThat(unfinished.get(0).ask("\r\n").status()).isEqualTo(200);
      await().until(() -> heads.heldBytes() == 40 << 10);
    }
    for (RawConnection each : unfinished) {
      each.close();
    }
  }

  @Test
  void theBytesOfAnUnfinishedLineCount() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("GET /acct/t" + HEAD + "x: " + "y".repeat(20_000));
      await().until(() -> heads.heldBytes() == 12 << 10);
      connection.send("y".repeat(10_000));
      await().until(() -> heads.heldBytes() == 24 << 10);
      assertThat(connection.ask("\r\n\r\n").status()).isEqualTo(200);
      await().until(() -> heads.heldBytes() == 0);
      assertThat(connection.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
    }
  }

  @Test
  void theHeadOfARunningRequestCountsAfterItsConnectionIsGone() throws IOException {
    RawConnection connection = service.connect();
    connection.send("GET /acct/held" + HEAD + "a:\r\n".repeat(200) + "\r\n");
    await().until(() -> reached.get() == 1);
    connection.reset();
    try (RawConnection other = service.connect()) {
      assertThat(other.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
      assertThat(heads.heldBytes()).isEqualTo(20 << 10);
      assertThat(connections.open()).isEqualTo(2);
    }
    held.complete(Response.of(204).build());
  }

  @Test
  void headersAfterAChunkedBodyAreBoundedToo() throws IOException {
    String post = "POST /acct/t" + HEAD + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n";
    try (RawConnection connection = service.connect()) {
      assertThat(connection.ask(post + "a: b\r\n\r\n").body()).contains("\nabc\n");
      connection.send(post + "a:\r\n".repeat(4097));
      assertThat(connection.answer().status()).isEqualTo(400);
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  @Test
  void ambiguousHeadersAreMalformed() throws IOException {
    for (String headers : AMBIGUOUS) {
      try (RawConnection connection = service.connect()) {
        Answer answer = connection.ask("POST /acct/t" + HEAD + headers + "\r\n0\r\n\r\n");
        assertThat(answer.status()).as(headers).isEqualTo(400);
        assertThat(answer.header("Connection")).as(headers).isEqualTo("close");
        assertThat(connection.isClosedByServer()).as(headers).isTrue();
      }
    }
    assertThat(reached).hasValue(0);
  }

  @Test
  void aContinuedLineIsMalformedWhereverItIsCut() throws IOException {
    String head = "GET /acct/t" + HEAD + "x: a\r\n b\r\n\r\n";
    int refusedAt = head.indexOf(" b") + 1;
    for (int cut = refusedAt - 6; cut <= refusedAt; cut++) {
      try (RawConnection connection = service.connect()) {
        connection.send(head.substring(0, cut));
        // The server answers without waiting for the rest.
        assertThat(connection.ask(head.substring(cut, refusedAt)).status()).isEqualTo(400);
      }
    }
  }

  @Test
  void thousandsOfPipelinedRequestsAreAnsweredInOrder() throws Exception {
    for (String head : new String[] {HEAD, NOBODY}) {
      try (RawConnection connection = service.connect()) {
        CompletableFuture<Void> sent =
            CompletableFuture.runAsync(
                () -> send(connection, "GET /acct/%d" + head + "\r\n", 1000));
        for (int i = 0; i < 1000; i++) {
          Answer answer = connection.answer();
          assertThat(answer.status()).isEqualTo(head.equals(HEAD) ? 200 : 403);
          if (head.equals(HEAD)) {
            assertThat(answer.body()).startsWith("GET\n/acct/" + i + "|");
          }
        }
        sent.join();
      }
    }
  }

  @Test
  void pipelinedBodiesAreReadWhole() throws IOException {
    try (RawConnection connection = service.connect()) {
      String fixed = "POST /acct/%d" + HEAD + "Content-Length: 900\r\n\r\n" + "x".repeat(900);
      String chunked =
          "POST /acct/%d" + HEAD + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n";
      send(connection, fixed + chunked, 100);
      for (int i = 0; i < 100; i++) {
        assertThat(connection.answer().body()).contains("/acct/" + i + "|", "x".repeat(900));
        assertThat(connection.answer().body()).contains("/acct/" + i + "|", "\nab\n");
      }
    }
  }

  @Test
  void requestsWaitUndecodedUntilThePreviousOneHasEnded() throws IOException {
    try (RawConnection connection = service.connect()) {
      send(connection, "GET /acct/held" + HEAD + "x-%d:\r\n".repeat(1) + "\r\n", 500);
      await().until(() -> reached.get() == 1);
      try (RawConnection other = service.connect()) {
        assertThat(other.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
      }
      assertThat(reached).hasValue(2);
      assertThat(heads.heldBytes()).isZero();
      held.complete(Response.of(202).build());
      for (int i = 0; i < 500; i++) {
        assertThat(connection.answer().status()).isEqualTo(202);
      }
      assertThat(reached).hasValue(501);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {HEAD, NOBODY})
  void aClientThatHasClosedItsOutputGetsAllAnswers(String head) throws IOException {
    for (int requests : new int[] {1, 2, 300}) {
      try (RawConnection connection = service.connect()) {
        send(connection, "GET /acct/%d" + head + "\r\n", requests);
        connection.endOutput();
        for (int i = 0; i < requests; i++) {
          assertThat(connection.answer().status()).isEqualTo(head.equals(HEAD) ? 200 : 403);
        }
        assertThat(connection.isClosedByServer()).isTrue();
      }
    }
  }

  @Test
  void aClientThatHasClosedItsOutputMayWaitForItsAnswer() throws IOException {
    try (RawConnection connection = service.connect()) {
      send(connection, "POST /acct/held" + HEAD + "Content-Length: 3\r\n\r\nabc", 2);
      connection.endOutput();
      await().until(() -> reached.get() == 1);
      held.complete(Response.of(202).build());
      assertThat(connection.answer().status()).isEqualTo(202);
      assertThat(connection.answer().status()).isEqualTo(202);
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aClientThatHasClosedItsOutputGetsALargeAnswerWhole() throws IOException {
    try (RawConnection connection = service.connect()) {
      send(connection, "GET /acct/large" + HEAD + "\r\n", 3);
      connection.endOutput();
      for (int i = 0; i < 3; i++) {
        connection.answerWithoutBody();
        assertThat(connection.bytes(4 << 20)).hasSize(4 << 20);
      }
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  @Test
  void anOutputThatEndsTooEarlyEndsTheConnection() throws IOException {
    String[] parts = {
      "", "GET /acct", "POST /acct/t" + HEAD + "Content-Length: 9\r\n\r\nabc",
    };
    for (String part : parts) {
      try (RawConnection connection = service.connect()) {
        connection.send(part).endOutput();
        assertThat(connection.isClosedByServer()).as(part).isTrue();
      }
    }
    try (RawConnection connection = service.connect()) {
      connection.send("GET /acct/t" + HEAD).endOutput();
      assertThat(connection.answer().status()).isEqualTo(400);
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  /** The decoder is replaced after a long line; the connection must not notice. */
  @Test
  void aLongLineLeavesTheConnectionInOrder() throws IOException {
    String longHead = HEAD + "x: " + "y".repeat(20_000) + "\r\n\r\n";
    try (RawConnection connection = service.connect()) {
      for (int i = 0; i < 3; i++) {
        assertThat(connection.ask("GET /acct/t" + longHead).status()).isEqualTo(200);
        assertThat(connection.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
      }
      send(connection, "GET /acct/%d" + longHead, 10);
      for (int i = 0; i < 10; i++) {
        assertThat(connection.answer().body()).startsWith("GET\n/acct/" + i + "|");
      }
    }
  }

  private static void send(RawConnection connection, String format, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(format.replace("%d", "" + i));
    }
    try {
      connection.send(text.toString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
