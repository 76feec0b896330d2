package io.lazuli.conformance.queue.rest;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.QueueMessage;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.support.Waiting;
import io.lazuli.conformance.wire.WireAnswer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Get Messages and Peek Messages: which messages they return, in what order, and how the messages
 * change.
 */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
class GetMessagesConformanceTest {

  private final ScratchQueue queue = ScratchQueue.create();

  private List<String> put(int count) {
    List<String> texts = IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
    texts.forEach(queue::added);
    return texts;
  }

  @Test
  @Documented("queue-rest 6.2: the elements, in order")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aMessageIsHandedOutWithAllItHas() {
    QueueMessage put = queue.added("hello");
    WireAnswer answer = queue.get("visibilitytimeout=40").send();
    expect(answer).status(200).header("Content-Type", "application/xml");
    QueueMessage taken = QueueMessage.listOf(answer).get(0);
    assertThat(taken.elements().keySet())
        .containsExactly(
            "MessageId",
            "InsertionTime",
            "ExpirationTime",
            "PopReceipt",
            "TimeNextVisible",
            "DequeueCount",
            "MessageText");
    assertThat(taken.id()).isEqualTo(put.id());
    assertThat(taken.element("InsertionTime")).isEqualTo(put.element("InsertionTime"));
    assertThat(taken.element("ExpirationTime")).isEqualTo(put.element("ExpirationTime"));
    assertThat(taken.receipt()).isNotEqualTo(put.receipt());
    assertThat(Duration.between(QueueTimes.date(answer), taken.time("TimeNextVisible")))
        .isBetween(Duration.ofSeconds(35), Duration.ofSeconds(42));
  }

  @Test
  @Documented("queue-rest 6.3: no receipt, no TimeNextVisible, and no change")
  void aPeekShowsNoReceiptAndChangesNothing() {
    queue.added("hello");
    for (int i = 0; i < 3; i++) {
      List<QueueMessage> seen = queue.taken("peekonly=true");
      assertThat(seen).hasSize(1);
      assertThat(seen.get(0).elements().keySet())
          .containsExactly(
              "MessageId", "InsertionTime", "ExpirationTime", "DequeueCount", "MessageText");
      assertThat(seen.get(0).dequeueCount()).isZero();
    }
    assertThat(queue.takenOne("").dequeueCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "peekonly=true", "numofmessages=32"})
  @Documented("queue-rest 6.2, 6.3: the answer is never 404 and never waits")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void anEmptyQueueHasAnEmptyList(String query) {
    WireAnswer answer = queue.get(query).send();
    expect(answer).status(200).header("Content-Type", "application/xml");
    assertThat(answer.xml()).isEqualTo("<QueueMessagesList />");
  }

  @Test
  @Documented("queue-rest 6.2, 6.3: one by default")
  void oneMessageIsHandedOutByDefault() {
    put(3);
    assertThat(queue.taken("peekonly=true")).hasSize(1);
    assertThat(queue.taken("")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"5, 32, 5", "40, 32, 32", "3, 2, 2", "2, 1, 1"})
  @Documented(
      "queue-rest 6.2, 1.3, 14 numofmessages: up to 32, fewer if there are fewer, oldest first")
  void messagesComeInTheOrderOfInsertion(int put, int asked, int expected) {
    List<String> texts = put(put);
    String query = "numofmessages=" + asked;
    assertThat(queue.taken("peekonly=true&" + query))
        .extracting(QueueMessage::text)
        .isEqualTo(texts.subList(0, expected));
    assertThat(queue.taken(query))
        .extracting(QueueMessage::text)
        .isEqualTo(texts.subList(0, expected));
    assertThat(queue.taken("numofmessages=32"))
        .extracting(QueueMessage::text)
        .isEqualTo(texts.subList(expected, Math.min(put, expected + 32)));
  }

  @Test
  @Documented("queue-rest 1.3: do: order a returned message by the time when it became visible")
  void aMessageThatIsGivenBackComesLast() {
    put(3);
    QueueMessage first = queue.takenOne("");
    expect(queue.update(first.id(), first.receipt(), 0).send()).status(204);
    assertThat(queue.taken("numofmessages=32"))
        .extracting(QueueMessage::text)
        .containsExactly("m1", "m2", "m0");
  }

  @Test
  @Documented("queue-rest 1.2 rule 1")
  void aMessageIsInvisibleWhileItIsHandedOut() {
    put(2);
    QueueMessage first = queue.takenOne("visibilitytimeout=60");
    assertThat(queue.peeked()).extracting(QueueMessage::text).containsExactly("m1");
    assertThat(queue.takenOne("").id()).isNotEqualTo(first.id());
    assertThat(queue.taken("")).isEmpty();
    assertThat(queue.count()).isEqualTo(2);
  }

  @Test
  @Documented("queue-rest 1.2, 14 visibility: 1; queue-rest 14 dequeue count: 1, 2, 3")
  void aMessageComesBackWhenItsPeriodEnds() {
    put(1);
    Set<String> receipts = new HashSet<>();
    for (int count = 1; count <= 3; count++) {
      QueueMessage taken = queue.takenOne("visibilitytimeout=1");
      assertThat(taken.dequeueCount()).isEqualTo(count);
      assertThat(receipts.add(taken.receipt())).isTrue();
      Waiting.until(() -> !queue.peeked().isEmpty());
      assertThat(queue.peeked().get(0).dequeueCount()).isEqualTo(count);
    }
  }

  @Test
  @Documented("queue-rest 6.2: default 30 seconds")
  void aMessageIsInvisibleForThirtySecondsByDefault() {
    put(1);
    WireAnswer answer = queue.get("").send();
    Duration period =
        Duration.between(
            QueueTimes.date(answer), QueueMessage.listOf(answer).get(0).time("TimeNextVisible"));
    assertThat(period).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(32));
  }

  @Test
  @Documented("queue-rest 6.2, 14 visibility: 604800, also beyond the expiry")
  void visibilityMayReachBeyondTheExpiry() {
    queue.added("text", "messagettl=100");
    QueueMessage taken = queue.takenOne("visibilitytimeout=604800");
    assertThat(taken.time("TimeNextVisible")).isAfter(taken.time("ExpirationTime"));
  }

  @ParameterizedTest
  @CsvSource({
    "numofmessages, 0, 1, 32",
    "numofmessages, 33, 1, 32",
    "numofmessages, -1, 1, 32",
    "visibilitytimeout, 0, 1, 604800",
    "visibilitytimeout, 604801, 1, 604800",
    "visibilitytimeout, -1, 1, 604800"
  })
  @Covers(Area.LIMITS)
  @Documented("queue-rest 6.2, 8, 9, 14 numofmessages: 0, 33; queue-rest 14 visibility: 0, 604801")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  @Differs("Azurite 3.37.0 answers 400 with an empty body")
  void numbersHaveTheirBounds(String parameter, String value, int min, int max) {
    WireAnswer answer = queue.get(parameter + "=" + value).send();
    expect(answer)
        .error(
            400,
            "OutOfRangeQueryParameterValue",
            "One of the query parameters specified in the request URI is outside the permissible"
                + " range.");
    assertThat(answer.xml())
        .endsWith(
            ("</Message><QueryParameterName>%s</QueryParameterName><QueryParameterValue>%s"
                    + "</QueryParameterValue><MinimumAllowed>%d</MinimumAllowed>"
                    + "<MaximumAllowed>%d</MaximumAllowed></Error>")
                .formatted(parameter, value, min, max));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "33"})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 6.3: 1 to 32")
  @Differs("Azurite 3.37.0 answers 400 with an empty body")
  void thoseWhoPeekHaveTheSameBounds(String number) {
    expect(queue.get("peekonly=true&numofmessages=" + number).send())
        .error(400, "OutOfRangeQueryParameterValue");
  }

  @ParameterizedTest
  @ValueSource(strings = {"numofmessages=many", "visibilitytimeout=1.5"})
  @Covers(Area.ERRORS)
  @Documented("queue-rest 6.1: not an integer")
  void numbersAreIntegers(String query) {
    expect(queue.get(query).send()).error(400, "InvalidQueryParameterValue");
  }

  @Test
  @Documented("queue-rest 6.3: visibilitytimeout is ignored")
  void aPeekNeedsNoVisibilityTimeout() {
    put(1);
    assertThat(queue.taken("peekonly=true&visibilitytimeout=0")).hasSize(1);
    assertThat(queue.peeked()).hasSize(1);
  }

  @Test
  @Covers(Area.ADDRESSING)
  @Documented("queue-rest 2.2: names of parameters in any case, unknown ones ignored")
  void namesOfParametersAreReadInAnyCase() {
    put(3);
    assertThat(queue.taken("PeekOnly=true&NumOfMessages=2&unknown=x&timeout=30")).hasSize(2);
    assertThat(queue.taken("NUMOFMESSAGES=2&VisibilityTimeout=60")).hasSize(2);
    assertThat(queue.peeked()).hasSize(1);
  }

  @Test
  @Documented("queue-rest 6.6: visible and invisible messages")
  void clearingRemovesEverything() {
    put(3);
    queue.added("hidden", "visibilitytimeout=100");
    QueueMessage taken = queue.takenOne("");
    expect(queue.wire().delete(queue.messages("")).send()).status(204).emptyBody();
    assertThat(queue.count()).isZero();
    assertThat(queue.peeked()).isEmpty();
    expect(queue.delete(taken.id(), taken.receipt()).send()).error(404, "MessageNotFound");
    expect(queue.wire().delete(queue.messages("")).send()).status(204);
    queue.added("after");
    assertThat(queue.takenOne("").text()).isEqualTo("after");
    assertThat(queue.count()).isEqualTo(1);
  }
}
