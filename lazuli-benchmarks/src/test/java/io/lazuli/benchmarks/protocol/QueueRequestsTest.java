package io.lazuli.benchmarks.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.benchmarks.load.ResponseReader;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class QueueRequestsTest {
  private final QueueRequests requests =
      QueueRequests.signedAt(
          URI.create("http://127.0.0.1:10001/devstoreaccount1"), "Sun, 01 Mar 2026 12:00:00 GMT");

  @Test
  void messagesArePutWithTheirLength() {
    String text = text(requests.put("orders"));
    assertThat(text)
        .startsWith("POST /devstoreaccount1/orders/messages HTTP/1.1\r\n")
        .contains("Authorization: SharedKey devstoreaccount1:");
    String body = text.substring(text.indexOf("\r\n\r\n") + 4);
    assertThat(text).contains("\r\nContent-Length: " + body.length() + "\r\n");
  }

  @Test
  void aPairDeletesItsMessage() throws Exception {
    AtomicLong deleted = new AtomicLong();
    QueuePairs pairs = QueuePairs.of(1, requests, "orders", () -> true, deleted).get(0);
    assertThat(text(pairs.next().orElseThrow()))
        .startsWith(
            "GET /devstoreaccount1/orders/messages?numofmessages=1&visibilitytimeout=86400 ");
    pairs.accept(
        answer(
            "200 OK",
            "<QueueMessagesList><QueueMessage><MessageId>m1</MessageId>"
                + "<PopReceipt>a+b=</PopReceipt></QueueMessage></QueueMessagesList>"));
    assertThat(text(pairs.next().orElseThrow()))
        .startsWith("DELETE /devstoreaccount1/orders/messages/m1?popreceipt=a%2Bb%3D ");
    pairs.accept(answer("204 No Content", ""));
    assertThat(deleted).hasValue(1);
    assertThat(text(pairs.next().orElseThrow())).startsWith("GET ");
  }

  @Test
  void anEmptyQueueEndsThePairs() throws Exception {
    QueuePairs pairs = QueuePairs.of(1, requests, "orders", () -> true, new AtomicLong()).get(0);
    assertThat(pairs.next()).isPresent();
    assertThat(pairs.accept(answer("200 OK", "<QueueMessagesList />"))).isTrue();
    assertThat(pairs.next()).isEmpty();
  }

  private static ResponseReader answer(String status, String body) throws Exception {
    ResponseReader reader = new ResponseReader(1 << 10);
    String head = "HTTP/1.1 " + status + "\r\nContent-Length: " + body.length() + "\r\n\r\n";
    assertThat(reader.read(ByteBuffer.wrap((head + body).getBytes(StandardCharsets.US_ASCII))))
        .isTrue();
    return reader;
  }

  private static String text(ByteBuffer request) {
    return StandardCharsets.US_ASCII.decode(request).toString();
  }
}
