package io.lazuli.server.http;

import static io.lazuli.server.http.EchoService.HEAD;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.http.RawConnection.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListenerTest {
  private static final String NOBODY = " HTTP/1.1\r\nHost: localhost\r\n";

  private static final Duration LONG = Duration.ofSeconds(30);

  private final EchoService service = new EchoService();

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void aConnectionServesRequestAfterRequest() throws IOException {
    try (RawConnection connection = service.connect()) {
      for (int i = 0; i < 3; i++) {
        Answer answer = connection.ask("GET /acct/t" + i + HEAD + "\r\n");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).startsWith("GET\n/acct/t" + i + "|\n");
      }
    }
  }

  @Test
  void pipelinedRequestsAreAnsweredInOrder() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send(
          "GET /acct/a"
              + HEAD
              + "\r\nPOST /acct/b"
              + HEAD
              + "Content-Length: 3\r\n\r\nxyzGET /acct/c"
              + HEAD
              + "\r\n");
      assertThat(connection.answer().body()).startsWith("GET\n/acct/a");
      assertThat(connection.answer().body()).startsWith("POST\n/acct/b").contains("\nxyz\n");
      assertThat(connection.answer().body()).startsWith("GET\n/acct/c");
    }
  }

  @Test
  void theEndpointRunsOnAWorker() throws IOException {
    try (RawConnection connection = service.connect()) {
      assertThat(connection.ask("GET /acct/t" + HEAD + "\r\n").body()).contains("\ntest-worker-");
    }
  }

  @Test
  void pathsAreHandedOverAsSent() throws IOException {
    String target = "/acct/t(PartitionKey='a%2Fb//c;d',RowKey='%25\u00c3\u00a9{|}')?$x=%20{|}";
    try (RawConnection connection = service.connect()) {
      String expected = new String(target.replace("?", "|").getBytes(ISO_8859_1), UTF_8);
      assertThat(connection.ask("GET " + target + HEAD + "\r\n").body()).contains(expected);
    }
  }

  @Test
  void anyMethodReachesTheEndpoint() throws IOException {
    try (RawConnection connection = service.connect()) {
      for (String method : new String[] {"MERGE", "PATCH", "DELETE", "FROBNICATE"}) {
        assertThat(connection.ask(method + " /acct/t" + HEAD + "\r\n").body()).startsWith(method);
      }
    }
  }

  @Test
  void headHasTheHeadersOfGetAndNoBody() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer head = connection.send("HEAD /acct/t" + HEAD + "\r\n").answerWithoutBody();
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.header("Content-Length")).isNotEqualTo("0");
      assertThat(connection.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
    }
  }

  @Test
  void chunkedBodiesAreReadWhole() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer =
          connection.ask(
              "POST /acct/t"
                  + HEAD
                  + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n");
      assertThat(answer.body()).contains("\nabcdefg\n");
      assertThat(connection.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
    }
  }

  @Test
  void aWaitingClientIsAskedForItsBodyOnceItIsAuthenticated() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("POST /acct/t" + HEAD + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n");
      assertThat(connection.answerWithoutBody().status()).isEqualTo(100);
      Answer answer = connection.ask("abc");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).contains("\nabc\n");
      assertThat(connection.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
    }
  }

  @Test
  void aWaitingClientWithoutCredentialsIsNotAskedForItsBody() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer =
          connection.ask(
              "POST /acct/t" + NOBODY + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n");
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.header("Connection")).isEqualTo("close");
      connection.send("abc");
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  @Test
  void theBodyOfARefusedRequestIsDiscardedAndTheConnectionContinues() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer refused =
          connection.ask("POST /acct/t" + NOBODY + "Content-Length: 900\r\n\r\n" + "x".repeat(900));
      assertThat(refused.status()).isEqualTo(403);
      assertThat(connection.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
    }
  }

  @Test
  void anAnnouncedBodyThatIsTooLongIsRefusedAfterAuthentication() throws IOException {
    try (RawConnection connection = service.connect()) {
      String announced = "Content-Length: 1001\r\n\r\n" + "x".repeat(1001);
      Answer nobody = connection.ask("POST /acct/t" + NOBODY + announced);
      assertThat(nobody.status()).isEqualTo(403);
      Answer answer = connection.ask("POST /acct/t" + HEAD + announced);
      assertThat(answer.status()).isEqualTo(413);
      assertThat(answer.header("x-ms-error-code")).isEqualTo("RequestBodyTooLarge");
      assertThat(connection.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
    }
  }

  @Test
  void aChunkedBodyThatIsTooLongIsRefused() throws IOException {
    try (RawConnection connection = service.connect()) {
      String chunk = "1f4\r\n" + "x".repeat(500) + "\r\n";
      Answer answer =
          connection.ask(
              "POST /acct/t"
                  + HEAD
                  + "Transfer-Encoding: chunked\r\n\r\n"
                  + chunk
                  + chunk
                  + chunk
                  + "0\r\n\r\n");
      assertThat(answer.status()).isEqualTo(413);
      assertThat(connection.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
      assertThat(service.budget.heldBytes()).isZero();
    }
  }

  @Test
  void anEndlessBodyEndsTheConnection() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("POST /acct/t" + HEAD + "Transfer-Encoding: chunked\r\n\r\n");
      byte[] chunk = ("100000\r\n" + "x".repeat(1 << 20) + "\r\n").getBytes(ISO_8859_1);
      int sent = 0;
      try {
        while (sent < 200) {
          connection.send(chunk);
          sent++;
        }
      } catch (IOException expected) {
        // The server has closed the connection.
      }
      assertThat(sent).isLessThan(200);
    }
  }

  @Test
  void bodiesBeyondTheCommonBoundAreRefused() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CompletableFuture<Response> held = new CompletableFuture<>();
    Endpoint holding =
        request -> {
          reached.countDown();
          return held;
        };
    try (EchoService tight =
            new EchoService(holding, new ByteBudget(1000), 10, new WorkerPool("w", 2, 2));
        RawConnection first = tight.connect();
        RawConnection second = tight.connect()) {
      String post = "POST /acct/t" + HEAD + "Content-Length: 600\r\n\r\n" + "x".repeat(600);
      first.send(post);
      reached.await();
      Answer busy = second.ask(post);
      assertThat(busy.status()).isEqualTo(503);
      assertThat(busy.header("x-ms-error-code")).isEqualTo("ServerBusy");
      held.complete(Response.of(204).build());
      assertThat(first.answer().status()).isEqualTo(204);
      assertThat(tight.budget.heldBytes()).isZero();
      assertThat(second.ask(post).status()).isEqualTo(204);
    }
  }

  @Test
  void requestsBeyondTheWorkersQueueAreRefused() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch reached = new CountDownLatch(1);
    Endpoint blocking =
        request -> {
          reached.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return CompletableFuture.completedFuture(Response.of(204).build());
        };
    WorkerPool one = new WorkerPool("w", 1, 1);
    try (EchoService tight = new EchoService(blocking, new ByteBudget(1000), 10, one);
        RawConnection running = tight.connect();
        RawConnection queued = tight.connect();
        RawConnection refused = tight.connect()) {
      running.send("GET /acct/t" + HEAD + "\r\n");
      reached.await();
      queued.send("GET /acct/t" + HEAD + "\r\n");
      await().until(() -> one.waiting() == 1);
      Answer busy = refused.ask("GET /acct/t" + HEAD + "\r\n");
      assertThat(busy.status()).isEqualTo(503);
      assertThat(busy.header("x-ms-error-code")).isEqualTo("ServerBusy");
      release.countDown();
      assertThat(running.answer().status()).isEqualTo(204);
      assertThat(queued.answer().status()).isEqualTo(204);
    }
  }

  @Test
  void connectionsBeyondTheBoundAreClosed() throws IOException {
    try (EchoService tight =
            new EchoService(EchoService::echo, new ByteBudget(1000), 1, new WorkerPool("w", 1, 1));
        RawConnection first = tight.connect()) {
      assertThat(first.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
      try (RawConnection second = tight.connect()) {
        assertThat(second.isClosedByServer()).isTrue();
      }
      await().until(() -> tight.listener.connections() == 1);
      assertThat(first.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
    }
  }

  @Test
  void twoLengthsAreMalformed() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer =
          connection.ask(
              "POST /acct/t" + HEAD + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).doesNotContain("xception");
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  @Test
  void lengthTogetherWithChunkedIsMalformed() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer =
          connection.ask(
              "POST /acct/t"
                  + HEAD
                  + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aChunkWithoutALengthIsMalformed() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer =
          connection.ask(
              "POST /acct/t" + HEAD + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n");
      assertThat(answer.status()).isEqualTo(400);
    }
  }

  @Test
  void twoHostsAreMalformed() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer = connection.ask("GET /acct/t" + HEAD + "Host: other\r\n\r\n");
      assertThat(answer.status()).isEqualTo(400);
    }
  }

  @Test
  void anythingButHttpIsMalformed() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer = connection.ask("\u0001\u0002 nonsense\r\nfoo\r\n\r\n");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.header("x-ms-request-id")).hasSize(36);
      assertThat(answer.header("Connection")).isEqualTo("close");
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  @Test
  void anInvalidLengthIsMalformed() throws IOException {
    for (String length : new String[] {"-1", "abc", "99999999999999999999", "1,1", "+3", ""}) {
      try (RawConnection connection = service.connect()) {
        Answer answer =
            connection.ask("POST /acct/t" + HEAD + "Content-Length: " + length + "\r\n\r\n");
        assertThat(answer.status()).as(length).isEqualTo(400);
      }
    }
  }

  @Test
  void targetsAndHeadersThatAreTooLongAreRefused() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer = connection.ask("GET /acct/" + "t".repeat(5000) + HEAD + "\r\n");
      assertThat(answer.status()).isEqualTo(414);
    }
    try (RawConnection connection = service.connect()) {
      Answer answer = connection.ask("GET /acct/t" + HEAD + "x: " + "y".repeat(5000) + "\r\n\r\n");
      assertThat(answer.status()).isEqualTo(431);
    }
  }

  @Test
  void everyAnswerCarriesTheCommonHeaders() throws IOException {
    String head = HEAD + "x-ms-version: 2019-02-02\r\nx-ms-client-request-id: my \u00e9 id\r\n\r\n";
    try (RawConnection connection = service.connect()) {
      for (String request :
          new String[] {
            "GET /acct/t" + head, "GET /nobody/t" + head, "GET /acct/t" + head.replace("yes", "no"),
          }) {
        Answer answer = connection.ask(request);
        assertThat(answer.header("Server")).isEqualTo("Echo/1");
        assertThat(HttpDate.parse(answer.header("Date"))).isNotNull();
        assertThat(answer.header("x-ms-version")).isEqualTo("2019-02-02");
        assertThat(answer.header("x-ms-client-request-id")).isEqualTo("my \u00e9 id");
        assertThat(answer.header("x-ms-request-id"))
            .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
      }
    }
  }

  /** Netty omits the length of 204, as RFC 9110 demands; other answers say zero. */
  @Test
  void emptyAnswersLeaveTheConnectionInStep() throws IOException {
    Endpoint empty =
        request ->
            CompletableFuture.completedFuture(
                Response.of(request.method().equals("PUT") ? 204 : 202).build());
    try (EchoService service = new EchoService(empty);
        RawConnection connection = service.connect()) {
      assertThat(connection.ask("PUT /acct/t" + HEAD + "\r\n").status()).isEqualTo(204);
      Answer accepted = connection.ask("POST /acct/t" + HEAD + "\r\n");
      assertThat(accepted.status()).isEqualTo(202);
      assertThat(accepted.header("Content-Length")).isEqualTo("0");
    }
  }

  @Test
  void aClientThatGoesAwayInTheMiddleOfItsBodyLeavesNothingBehind() throws IOException {
    try (RawConnection connection = service.connect()) {
      connection.send("POST /acct/t" + HEAD + "Content-Length: 900\r\n\r\n" + "x".repeat(500));
      await().until(() -> service.budget.heldBytes() == 500);
    }
    await().until(() -> service.listener.connections() == 0);
    await().until(() -> service.budget.heldBytes() == 0);
    await().until(() -> service.events.size() == 1);
    assertThat(service.events.get(0).errorCode()).isEqualTo("ClientClosedConnection");
    assertThat(service.events.get(0).transfer().complete()).isFalse();
  }

  @Test
  void aClientThatGoesAwayBeforeItsAnswerLeavesNothingBehind() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CompletableFuture<Response> held = new CompletableFuture<>();
    Endpoint holding =
        request -> {
          reached.countDown();
          return held;
        };
    try (EchoService slow = new EchoService(holding)) {
      try (RawConnection connection = slow.connect()) {
        connection.send("POST /acct/t" + HEAD + "Content-Length: 3\r\n\r\nabc");
        reached.await();
      }
      held.complete(Response.of(204).build());
      await().until(() -> slow.listener.connections() == 0);
      await().until(() -> slow.budget.heldBytes() == 0);
      try (RawConnection next = slow.connect()) {
        assertThat(next.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(204);
      }
    }
  }

  @Test
  void aConnectionOnWhichNothingMovesIsClosed() throws IOException {
    try (EchoService impatient = new EchoService(Duration.ofMillis(200), LONG, LONG)) {
      for (String begun :
          new String[] {
            "", "GET /acct/t HT", "POST /acct/t" + HEAD + "Content-Length: 9\r\n\r\nab"
          }) {
        try (RawConnection connection = impatient.connect()) {
          connection.send(begun);
          assertThat(connection.isClosedByServer()).as(begun).isTrue();
        }
      }
      await().until(() -> impatient.listener.connections() == 0);
      await().until(() -> impatient.budget.heldBytes() == 0);
    }
  }

  /** Every byte would restart an idle time-out; the deadline of the head does not move. */
  @Test
  void aHeadThatComesByteByByteIsCutOff() throws IOException {
    try (EchoService impatient = new EchoService(LONG, Duration.ofSeconds(1), LONG);
        RawConnection fresh = impatient.connect();
        RawConnection used = impatient.connect()) {
      assertThat(used.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
      assertThat(used.ask("POST /acct/t" + HEAD + "Content-Length: 2\r\n\r\nab").status())
          .isEqualTo(200);
      String endless = "GET /acct/t" + HEAD + "x: " + "y".repeat(3_000);
      assertThat(bytesTaken(impatient, endless, fresh, used)).isLessThan(endless.length());
      assertThat(impatient.events).filteredOn(event -> event.status() == 200).hasSize(2);
    }
  }

  @Test
  void aConnectionThatNeverBeginsARequestIsCutOffToo() throws IOException {
    try (EchoService impatient = new EchoService(LONG, Duration.ofMillis(200), LONG);
        RawConnection connection = impatient.connect()) {
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  @Test
  void aConnectionMayBeIdleBetweenRequestsForLongerThanAHeadMayTake() throws IOException {
    try (EchoService impatient = new EchoService(LONG, Duration.ofSeconds(1), LONG);
        RawConnection connection = impatient.connect()) {
      String post = "POST /acct/t" + HEAD + "Content-Length: 2\r\n\r\n";
      assertThat(connection.ask(post + "ab").status()).isEqualTo(200);
      assertThat(connection.send(post).send("a").ask("b").status()).isEqualTo(200);
      try (RawConnection later = impatient.connect()) {
        assertThat(later.isClosedByServer()).isTrue();
      }
      assertThat(connection.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
    }
  }

  @Test
  void aBodyThatComesByteByByteIsRefusedAndCutOff() throws IOException {
    try (EchoService impatient = new EchoService(LONG, LONG, Duration.ofMillis(300));
        RawConnection connection = impatient.connect()) {
      connection.send("POST /acct/t" + HEAD + "Content-Length: 900\r\n\r\n");
      await()
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                connection.send("x");
                return !impatient.events.isEmpty();
              });
      assertThat(impatient.events.get(0).errorCode()).isEqualTo("OperationTimedOut");
      assertThat(connection.answer().status()).isEqualTo(500);
      await().until(() -> impatient.budget.heldBytes() == 0);
    }
  }

  @Test
  void slowConnectionsKeepNobodyOutForLong() throws IOException {
    try (EchoService impatient = new EchoService(LONG, Duration.ofSeconds(1), LONG)) {
      List<RawConnection> slow = new ArrayList<>();
      for (int i = 0; i < 99; i++) {
        slow.add(impatient.connect().send("GET /acct/t HT"));
      }
      try (RawConnection beside = impatient.connect()) {
        assertThat(beside.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
        await().until(() -> impatient.listener.connections() == 1);
        assertThat(beside.ask("GET /acct/t" + HEAD + "\r\n").status()).isEqualTo(200);
      }
      for (RawConnection each : slow) {
        assertThat(each.isClosedByServer()).isTrue();
        each.close();
      }
    }
  }

  /** Sends a byte from time to time on each connection until the server has closed all of them. */
  private static int bytesTaken(EchoService service, String text, RawConnection... connections) {
    int[] sent = {0};
    await()
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              String next = text.substring(sent[0], ++sent[0]);
              for (RawConnection connection : connections) {
                try {
                  connection.send(next);
                } catch (IOException expected) {
                  // The server has closed this connection.
                }
              }
              return service.listener.connections() == 0;
            });
    return sent[0];
  }

  @Test
  void anAccountPastItsTargetIsToldWhenToRetry() throws IOException {
    try (EchoService held = new EchoService(2);
        RawConnection connection = held.connect()) {
      String get = "GET /acct/t" + HEAD + "\r\n";
      for (int i = 0; i < 5; i++) {
        assertThat(connection.ask("GET /acct/t" + NOBODY + "\r\n").status()).isEqualTo(403);
      }
      assertThat(connection.ask(get).status()).isEqualTo(200);
      assertThat(connection.ask(get.replace("acct", "acct-secondary")).status()).isEqualTo(200);
      Answer busy = connection.ask("POST /acct/t" + HEAD + "Content-Length: 3\r\n\r\nabc");
      assertThat(busy.status()).isEqualTo(503);
      assertThat(busy.header("x-ms-error-code")).isEqualTo("ServerBusy");
      assertThat(busy.header("Retry-After")).isEqualTo("1");
      assertThat(busy.body()).contains("Operations per second is over the account limit.");
      assertThat(connection.ask(get.replace("acct", "other")).status()).isEqualTo(200);
    }
  }

  @Test
  void aClientThatAsksForTheEndOfTheConnectionGetsIt() throws IOException {
    try (RawConnection connection = service.connect()) {
      Answer answer = connection.ask("GET /acct/t" + HEAD + "Connection: close\r\n\r\n");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  @Test
  void otherVersionsOfHttpAreNotSpoken() throws IOException {
    try (RawConnection connection = service.connect()) {
      assertThat(connection.ask("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").status()).isEqualTo(501);
    }
  }

  @Test
  void requestsThatRunAreAnsweredWhenTheListenerStops() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    AtomicInteger requests = new AtomicInteger();
    CompletableFuture<Response> held = new CompletableFuture<>();
    Endpoint holding =
        request -> {
          requests.incrementAndGet();
          reached.countDown();
          return held;
        };
    try (EchoService slow = new EchoService(holding);
        RawConnection idle = slow.connect();
        RawConnection connection = slow.connect()) {
      connection.send("GET /acct/t" + HEAD + "\r\n");
      reached.await();
      CompletableFuture<Void> stopped =
          CompletableFuture.runAsync(() -> slow.listener.stop(Duration.ofSeconds(10)));
      assertThat(idle.isClosedByServer()).isTrue();
      assertThat(stopped).isNotDone();
      held.complete(Response.of(204).build());
      Answer last = connection.answer();
      assertThat(last.status()).isEqualTo(204);
      assertThat(last.header("Connection")).isEqualTo("close");
      assertThat(connection.isClosedByServer()).isTrue();
      stopped.join();
      // Another process may have opened the port by now, so a successful connection proves nothing.
      assertThatCode(() -> slow.connect().ask("GET /acct/t" + HEAD + "\r\n"))
          .satisfiesAnyOf(
              failure -> assertThat(failure).isInstanceOf(IOException.class),
              failure -> assertThat(requests).hasValue(1));
    }
  }

  @Test
  void aLeavingListenerAnswersAndClosesTheConnectionAfterTheBody() throws IOException {
    try (EchoService service = new EchoService(EchoService::echo);
        RawConnection before = service.connect()) {
      assertThat(before.ask("GET /acct/t" + HEAD + "\r\n").header("Connection")).isNull();
      service.listener.leave();
      Answer last = before.ask("GET /acct/t" + HEAD + "\r\n");
      assertThat(last.status()).isEqualTo(200);
      assertThat(last.header("Connection")).isEqualTo("close");
      assertThat(before.isClosedByServer()).isTrue();
      try (RawConnection later = service.connect()) {
        Answer answer = later.ask("PUT /acct/t" + HEAD + "Content-Length: 2\r\n\r\nhi");
        assertThat(answer.body()).contains("hi");
        assertThat(answer.header("Connection")).isEqualTo("close");
        assertThat(later.isClosedByServer()).isTrue();
      }
    }
  }
}
