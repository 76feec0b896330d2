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
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireRequest;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Update Message and Delete Message, and the pop receipts that both need. */
@Covers(value = Area.CONCURRENCY, service = StorageService.QUEUE)
class ReceiptsConformanceTest {

  private final ScratchQueue queue = ScratchQueue.create();

  /** The two operations that need a receipt. */
  enum Use {
    UPDATE("PUT", "visibilitytimeout=30"),
    DELETE("DELETE", "");

    final String method;
    final String query;

    Use(String method, String query) {
      this.method = method;
      this.query = query;
    }

    WireRequest on(ScratchQueue queue, String id, String rawReceipt) {
      String more = query.isEmpty() ? "" : "&" + query;
      return queue.wire().request(method, queue.message(id, "popreceipt=" + rawReceipt + more));
    }
  }

  private static String receipt(WireAnswer updated) {
    expect(updated).status(204).hasHeader("x-ms-popreceipt");
    return updated.header("x-ms-popreceipt").orElse("");
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("queue-rest 6.4: 204, empty, with the new receipt and time")
  void anUpdateAnswersWithTheNewReceiptAndTime() {
    QueueMessage put = queue.added("text");
    WireAnswer answer = queue.update(put.id(), put.receipt(), 60).send();
    expect(answer).status(204).emptyBody();
    assertThat(receipt(answer)).isNotEmpty().isNotEqualTo(put.receipt());
    Duration period =
        Duration.between(
            QueueTimes.date(answer), QueueTimes.header(answer, "x-ms-time-next-visible"));
    assertThat(period).isBetween(Duration.ofSeconds(55), Duration.ofSeconds(62));
    assertThat(queue.peeked()).isEmpty();
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("queue-rest 1.2 rule 6, 14 visibility: 0 on Update; queue-rest 14 dequeue count")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void anUpdateToZeroMakesAMessageVisibleAtOnce() {
    queue.added("text");
    QueueMessage taken = queue.takenOne("visibilitytimeout=100");
    expect(queue.update(taken.id(), taken.receipt(), 0).send()).status(204);
    assertThat(queue.peeked()).singleElement().extracting(QueueMessage::dequeueCount).isEqualTo(1);
    assertThat(queue.takenOne("").dequeueCount()).isEqualTo(2);
  }

  @Test
  @Covers(Area.OPERATIONS)
  @Documented("queue-rest 1.2 rule 7, 6.4: without a body the text stays; an update does not count")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void anUpdateChangesTheTextOnlyIfItHasOne() {
    queue.added("first");
    QueueMessage taken = queue.takenOne("visibilitytimeout=100");
    String second = receipt(queue.update(taken.id(), taken.receipt(), 100).send());
    String third =
        receipt(queue.update(taken.id(), second, 100).body(ScratchQueue.body("<new>")).send());
    receipt(queue.update(taken.id(), third, 0).header("Content-Type", "application/xml").send());
    assertThat(queue.takenOne("").elements())
        .containsEntry("MessageText", "<new>")
        .containsEntry("DequeueCount", "2")
        .containsEntry("MessageId", taken.id())
        .containsEntry("InsertionTime", taken.element("InsertionTime"))
        .containsEntry("ExpirationTime", taken.element("ExpirationTime"));
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("queue-rest 6.4: text size as in Put")
  void anUpdatedTextHasTheSameLimit() {
    QueueMessage put = queue.added("text");
    String longest = "x".repeat(65_536);
    expect(queue.update(put.id(), put.receipt(), 0).body(ScratchQueue.body(longest + "x")).send())
        .error(413, "RequestBodyTooLarge");
    expect(queue.update(put.id(), put.receipt(), 0).body(ScratchQueue.body(longest)).send())
        .status(204);
    assertThat(queue.takenOne("").text()).isEqualTo(longest);
  }

  @Test
  @Covers(Area.ERRORS)
  @Documented("queue-rest 6.4: text syntax as in Put")
  void anUpdatedTextHasTheSameSyntax() {
    QueueMessage put = queue.added("text");
    expect(queue.update(put.id(), put.receipt(), 0).body("<QueueMessage>").send())
        .error(400, "InvalidXmlDocument");
    assertThat(queue.takenOne("").text()).isEqualTo("text");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 604_801})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 6.4: 0 to 604800")
  void anUpdateHasItsBounds(int seconds) {
    QueueMessage put = queue.added("text");
    WireAnswer answer = queue.update(put.id(), put.receipt(), seconds).send();
    expect(answer).error(400, "OutOfRangeQueryParameterValue");
    assertThat(answer.xml())
        .contains("<MinimumAllowed>0</MinimumAllowed><MaximumAllowed>604800</MaximumAllowed>");
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("queue-rest 6.4: do: accept a time beyond the expiry and let the message expire")
  void anUpdateMayReachBeyondTheExpiry() {
    QueueMessage put = queue.added("text", "messagettl=100");
    expect(queue.update(put.id(), put.receipt(), 604_800).send()).status(204);
  }

  @ParameterizedTest
  @CsvSource({"PUT, visibilitytimeout=1, popreceipt", "DELETE, '', popreceipt"})
  @Covers(Area.ERRORS)
  @Documented("queue-rest 7.2, 14 receipts: missing")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aReceiptIsRequired(String method, String query, String missing) {
    QueueMessage put = queue.added("text");
    WireAnswer answer = queue.wire().request(method, queue.message(put.id(), query)).send();
    expect(answer)
        .error(
            400,
            "MissingRequiredQueryParameter",
            "A query parameter that's mandatory for this request is not specified.");
    assertThat(answer.xml())
        .endsWith("<QueryParameterName>" + missing + "</QueryParameterName></Error>");
    assertThat(queue.count()).isEqualTo(1);
  }

  @Test
  @Covers(Area.ERRORS)
  @Documented("queue-rest 6.4: both parameters are required")
  void anUpdateNeedsAVisibility() {
    QueueMessage put = queue.added("text");
    String query = "popreceipt=" + Keys.encode(put.receipt());
    WireAnswer answer = queue.wire().request("PUT", queue.message(put.id(), query)).send();
    expect(answer).error(400, "MissingRequiredQueryParameter");
    assertThat(answer.xml())
        .endsWith("<QueryParameterName>visibilitytimeout</QueryParameterName></Error>");
  }

  @ParameterizedTest
  @CsvSource({"UPDATE, invalid", "DELETE, invalid", "UPDATE, appended", "DELETE, appended"})
  @Covers(Area.ERRORS)
  @Documented("queue-rest 7.2, 14 receipts: not valid Base64, message exists")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aReceiptOfAnotherFormIsInvalid(Use use, String kind) {
    QueueMessage put = queue.added("text");
    String receipt = kind.equals("invalid") ? "invalid" : put.receipt() + "Random";
    WireAnswer answer = use.on(queue, put.id(), Keys.encode(receipt)).send();
    expect(answer)
        .error(
            400,
            "InvalidQueryParameterValue",
            "Value for one of the query parameters specified in the request URI is invalid.");
    assertThat(answer.xml())
        .endsWith(
            "<QueryParameterName>popreceipt</QueryParameterName><QueryParameterValue>"
                + receipt
                + "</QueryParameterValue><Reason>Invalid pop receipt format</Reason></Error>");
    assertThat(queue.count()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "UPDATE, 00000000-1111-2222-3333-444444444444",
    "DELETE, 00000000-1111-2222-3333-444444444444",
    "UPDATE, no-guid",
    "DELETE, no-guid"
  })
  @Covers(Area.ERRORS)
  @Documented("queue-rest 7.2, 14 receipts: id unknown or not a GUID")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void anUnknownMessageIsNotFound(Use use, String id) {
    QueueMessage other = queue.added("text");
    expect(use.on(queue, id, Keys.encode(other.receipt())).send())
        .error(404, "MessageNotFound", "The specified message does not exist.");
    assertThat(queue.count()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("queue-rest 7.2, 14 receipts: deleted")
  void aDeletedMessageIsNotFound(Use use) {
    QueueMessage put = queue.added("text");
    expect(queue.delete(put.id(), put.receipt()).send()).status(204).emptyBody();
    expect(use.on(queue, put.id(), Keys.encode(put.receipt())).send())
        .error(404, "MessageNotFound");
    assertThat(queue.taken("")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Documented("queue-rest 7.2, 1.2 rule 2, 14 receipts: fetched since")
  @Differs("Azurite 3.37.0 answers PopReceiptMismatch")
  void aReceiptIsOfNoUseAfterTheNextGet(Use use) {
    QueueMessage put = queue.added("text");
    QueueMessage taken = queue.takenOne("visibilitytimeout=100");
    expect(use.on(queue, put.id(), Keys.encode(put.receipt())).send())
        .error(404, "MessageNotFound", "The specified message does not exist.");
    expect(use.on(queue, put.id(), Keys.encode(taken.receipt())).send()).status(204);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("queue-rest 7.2, 1.2 rule 2, 14 receipts: updated since")
  @Differs("Azurite 3.37.0 answers PopReceiptMismatch")
  void aReceiptIsOfNoUseAfterTheNextUpdate(Use use) {
    queue.added("text");
    QueueMessage taken = queue.takenOne("visibilitytimeout=100");
    String newer = receipt(queue.update(taken.id(), taken.receipt(), 100).send());
    expect(use.on(queue, taken.id(), Keys.encode(taken.receipt())).send())
        .error(404, "MessageNotFound");
    expect(use.on(queue, taken.id(), Keys.encode(newer)).send()).status(204);
  }

  @ParameterizedTest
  @EnumSource
  @Documented("queue-rest 7.2: the receipt of another message is not valid for this one")
  @Differs("Azurite 3.37.0 answers PopReceiptMismatch")
  void theReceiptOfAnotherMessageIsNotFound(Use use) {
    QueueMessage one = queue.added("one");
    QueueMessage other = queue.takenOne("visibilitytimeout=100");
    assertThat(other.id()).isEqualTo(one.id());
    QueueMessage two = queue.added("two");
    expect(use.on(queue, two.id(), Keys.encode(other.receipt())).send())
        .error(404, "MessageNotFound");
    assertThat(queue.count()).isEqualTo(2);
  }

  @Test
  @Documented("queue-rest 1.2 rule 3, 13: the period ends, and no other consumer took the message")
  void aReceiptOutlivesItsPeriod() {
    queue.added("text");
    QueueMessage taken = queue.takenOne("visibilitytimeout=1");
    Waiting.until(() -> !queue.peeked().isEmpty());
    expect(queue.delete(taken.id(), taken.receipt()).send()).status(204);
    assertThat(queue.count()).isZero();
  }

  @Test
  @Documented("queue-rest 1.2 rule 3, 10: a consumer extends its period")
  void aReceiptOutlivesItsPeriodForUpdatesToo() {
    queue.added("text");
    QueueMessage taken = queue.takenOne("visibilitytimeout=1");
    Waiting.until(() -> !queue.peeked().isEmpty());
    String renewed = receipt(queue.update(taken.id(), taken.receipt(), 100).send());
    assertThat(queue.taken("")).isEmpty();
    expect(queue.delete(taken.id(), renewed).send()).status(204);
  }

  @Test
  @Documented("queue-rest 13: the period ends, and a second consumer takes over")
  @Differs("Azurite 3.37.0 answers PopReceiptMismatch")
  void theSecondConsumerTakesOver() {
    queue.added("text");
    QueueMessage a = queue.takenOne("visibilitytimeout=1");
    Waiting.until(() -> !queue.peeked().isEmpty());
    QueueMessage b = queue.takenOne("visibilitytimeout=100");
    assertThat(b.id()).isEqualTo(a.id());
    assertThat(b.dequeueCount()).isEqualTo(2);
    expect(queue.delete(a.id(), a.receipt()).send()).error(404, "MessageNotFound");
    expect(queue.delete(b.id(), b.receipt()).send()).status(204);
  }

  @Test
  @Covers(Area.ADDRESSING)
  @Documented("queue-rest 7.1: Base64, in which a plus sign may be sent unencoded")
  void aReceiptIsBase64AndMayBeSentRaw() {
    for (int i = 0; i < 40; i++) {
      QueueMessage put = queue.added("text");
      assertThat(Base64.getDecoder().decode(put.receipt())).isNotEmpty();
      String raw = put.receipt().replace("/", "%2F").replace("=", "%3D");
      expect(Use.DELETE.on(queue, put.id(), raw).send()).status(204);
    }
    assertThat(queue.count()).isZero();
  }
}
