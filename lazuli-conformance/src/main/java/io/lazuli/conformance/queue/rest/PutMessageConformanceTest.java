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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Put Message: texts are returned unchanged, messages expire, and bad requests are refused. */
@Covers(value = Area.OPERATIONS, service = StorageService.QUEUE)
class PutMessageConformanceTest {

  private static final long WEEK_SECONDS = 604_800;

  private final ScratchQueue queue = ScratchQueue.create();

  static Stream<String> texts() {
    return Stream.of(
        "hello",
        "<>&\"'",
        "one\r\ntwo\rthree\nfour",
        "\uD83D\uDE80 emoji and \u4E2D\u6587 and \u00E4",
        "  spaces and tabs \t around  ",
        "\n",
        "",
        "]]>",
        "&amp;lt; &#x41;",
        "<![CDATA[x]]>",
        "\uFFFD\uE000\u0085\u2028",
        "{\"json\":\"<b>\"}");
  }

  @ParameterizedTest
  @MethodSource("texts")
  @Covers(Area.TYPES)
  @Documented("queue-rest 6.1, 2.6, 14 texts")
  void aTextComesBackAsItWas(String text) {
    queue.added(text);
    assertThat(queue.peeked()).singleElement().extracting(QueueMessage::text).isEqualTo(text);
    assertThat(queue.takenOne("").text()).isEqualTo(text);
  }

  @Test
  @Covers(Area.TYPES)
  @Documented("queue-rest 6.1: empty text is legal")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void anEmptyTextIsAnEmptyElement() {
    queue.added("");
    assertThat(queue.get("peekonly=true").send().xml()).contains("<MessageText />");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "ü"})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 6.1, 9, 14 texts: 65,536 and 65,537 bytes")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aTextHasUpTo65536Bytes(String letter) {
    String longest = letter.repeat(65_536 / letter.getBytes(StandardCharsets.UTF_8).length);
    queue.added(longest);
    assertThat(queue.takenOne("").text()).isEqualTo(longest);
    WireAnswer answer = queue.put(longest + "x", "").send();
    expect(answer)
        .error(
            413,
            "RequestBodyTooLarge",
            "The request body is too large and exceeds the maximum permissible limit.");
    assertThat(answer.xml()).endsWith("<MaxLimit>65536</MaxLimit></Error>");
    assertThat(queue.count()).isEqualTo(1);
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented("queue-rest 6.1: do: measure after unescaping")
  void aTextIsMeasuredWithoutItsEscapes() {
    String longest = "&".repeat(65_536);
    queue.added(longest);
    assertThat(queue.takenOne("").text()).isEqualTo(longest);
    expect(queue.put(longest + "&", "").send()).error(413, "RequestBodyTooLarge");
  }

  @Test
  @Documented("queue-rest 6.1: the elements of the answer, without text and count")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void theAnswerTellsIdTimesAndReceipt() {
    WireAnswer answer = queue.put("text", "visibilitytimeout=5").send();
    expect(answer).status(201).header("Content-Type", "application/xml");
    QueueMessage message = QueueMessage.listOf(answer).get(0);
    assertThat(message.elements().keySet())
        .containsExactly(
            "MessageId", "InsertionTime", "ExpirationTime", "PopReceipt", "TimeNextVisible");
    assertThat(message.id()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    assertThat(seconds(message, "InsertionTime", "TimeNextVisible")).isEqualTo(5);
    Instant date = QueueTimes.date(answer);
    assertThat(message.time("InsertionTime")).isBetween(date.minusSeconds(5), date.plusSeconds(5));
  }

  private static long seconds(QueueMessage message, String from, String to) {
    return Duration.between(message.time(from), message.time(to)).toSeconds();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 604800",
    "messagettl=1, 1",
    "messagettl=604801, 604801",
    "messagettl=1073741824, 1073741824"
  })
  @Documented("queue-rest 6.1, 14 ttl: default, 1, beyond a week, 34 years")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aMessageExpiresAfterItsTimeToLive(String query, long lives) {
    QueueMessage message = queue.added("text", query);
    assertThat(seconds(message, "InsertionTime", "ExpirationTime")).isEqualTo(lives);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "315537897599", "999999999999"})
  @Documented("queue-rest 6.1, 14 ttl: never, and cut at the year 9999")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aMessageMayLiveForever(String ttl) {
    assertThat(queue.added("text", "messagettl=" + ttl).element("ExpirationTime"))
        .isEqualTo("Fri, 31 Dec 9999 23:59:59 GMT");
    assertThat(queue.takenOne("").element("ExpirationTime"))
        .isEqualTo("Fri, 31 Dec 9999 23:59:59 GMT");
  }

  @Test
  @Documented(
      "queue-rest 1.2, 6.1, 14 ttl: after it expires while invisible, no operation finds it")
  @Differs("Azurite 3.37.0 counts expired messages")
  void anExpiredMessageIsGoneForEveryOperation() {
    QueueMessage held = queue.added("held", "messagettl=5");
    QueueMessage taken = queue.takenOne("visibilitytimeout=60");
    assertThat(taken.id()).isEqualTo(held.id());
    queue.added("stays");
    Waiting.until(() -> queue.count() == 1);
    assertThat(queue.peeked()).extracting(QueueMessage::text).containsExactly("stays");
    expect(queue.update(taken.id(), taken.receipt(), 1).send()).error(404, "MessageNotFound");
    expect(queue.delete(taken.id(), taken.receipt()).send()).error(404, "MessageNotFound");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 604_800})
  @Documented("queue-rest 6.1, 14 visibility")
  void aMessageMayStartInvisible(int timeout) {
    String query = "visibilitytimeout=" + timeout + "&messagettl=-1";
    QueueMessage message = queue.added("later", query);
    assertThat(seconds(message, "InsertionTime", "TimeNextVisible")).isEqualTo(timeout);
    if (timeout == 1) {
      Waiting.until(() -> !queue.peeked().isEmpty());
      assertThat(queue.takenOne("").dequeueCount()).isEqualTo(1);
    } else {
      assertThat(queue.taken("")).isEmpty();
      assertThat(queue.peeked()).isEmpty();
      assertThat(queue.count()).isEqualTo(1);
    }
  }

  @Test
  @Documented("queue-rest 1.2 rule 4, 10: the producer can cancel with the receipt of the answer")
  void theReceiptOfPutDeletesAndUpdates() {
    QueueMessage cancelled = queue.added("cancelled", "visibilitytimeout=100");
    expect(queue.delete(cancelled.id(), cancelled.receipt()).send()).status(204);
    QueueMessage hidden = queue.added("a", "visibilitytimeout=100");
    expect(queue.update(hidden.id(), hidden.receipt(), 0).body(ScratchQueue.body("b")).send())
        .status(204);
    assertThat(queue.takenOne("").text()).isEqualTo("b");
  }

  @ParameterizedTest
  @CsvSource({
    "visibilitytimeout=30&messagettl=30, 30",
    "visibilitytimeout=30&messagettl=5, 30",
    "messagettl=1&visibilitytimeout=604800, 604800"
  })
  @Covers(Area.ERRORS)
  @Documented("queue-rest 6.1, 14 ttl: ttl not above visibility")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  void aMessageMustLiveLongerThanItIsInvisible(String query, String value) {
    WireAnswer answer = queue.put("text", query).send();
    expect(answer)
        .error(
            400,
            "InvalidQueryParameterValue",
            "Value for one of the query parameters specified in the request URI is invalid.");
    assertThat(answer.xml())
        .endsWith(
            "<QueryParameterName>visibilitytimeout</QueryParameterName><QueryParameterValue>"
                + value
                + "</QueryParameterValue><Reason>messagettl must be greater than"
                + " visibilitytimeout</Reason></Error>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "604801", "99999999999"})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 6.1, 9: 0 to 604800")
  void visibilityIsAtMostAWeek(String value) {
    WireAnswer answer = queue.put("text", "visibilitytimeout=" + value).send();
    expect(answer).error(400, "OutOfRangeQueryParameterValue");
    assertThat(answer.xml())
        .contains("<QueryParameterName>visibilitytimeout</QueryParameterName>")
        .contains("<QueryParameterValue>" + value + "</QueryParameterValue>")
        .endsWith(
            "<MinimumAllowed>0</MinimumAllowed><MaximumAllowed>"
                + WEEK_SECONDS
                + "</MaximumAllowed></Error>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"messagettl=0", "messagettl=-2"})
  @Covers(Area.LIMITS)
  @Documented("queue-rest 6.1: the message is uncertain and taken from the emulator")
  void aTimeToLiveIsPositiveOrNever(String query) {
    expect(queue.put("text", query).send()).error(400, "InvalidQueryParameterValue");
  }

  @ParameterizedTest
  @ValueSource(strings = {"messagettl=x", "messagettl=1.5", "visibilitytimeout=x"})
  @Covers(Area.ERRORS)
  @Documented("queue-rest 6.1: not an integer")
  void numbersAreIntegers(String query) {
    expect(queue.put("text", query).send()).error(400, "InvalidQueryParameterValue");
  }

  static List<String> badBodies() {
    return List.of(
        "",
        "text",
        "<QueueMessage>",
        "<QueueMessage><MessageText>a</MessageText>",
        "<QueueMessage></QueueMessage>",
        "<QueueMessage><messagetext>a</messagetext></QueueMessage>",
        "<Message><MessageText>a</MessageText></Message>",
        "<QueueMessage><MessageText>\u0001</MessageText></QueueMessage>",
        "<QueueMessage><MessageText>&#x1;</MessageText></QueueMessage>",
        "<QueueMessage><MessageText>&nope;</MessageText></QueueMessage>",
        "<!DOCTYPE x [<!ENTITY y \"z\">]><QueueMessage><MessageText>&y;</MessageText>"
            + "</QueueMessage>");
  }

  @ParameterizedTest
  @MethodSource("badBodies")
  @Covers(Area.ERRORS)
  @Documented(
      "queue-rest 6.1, 2.6: not well-formed, no MessageText, or characters that XML forbids")
  @SeenOn(value = SeenOn.Service.AZURE, date = "2019 to 2023")
  @Differs("Azurite 3.37.0 does not name the position")
  void aBodyThatIsNoMessageIsRefused(String body) {
    WireAnswer answer = queue.wire().request("POST", queue.messages("")).body(body).send();
    expect(answer).error(400, "InvalidXmlDocument", "XML specified is not syntactically valid.");
    assertThat(answer.xml())
        .contains("</Message><LineNumber>")
        .contains("<LinePosition>")
        .endsWith("</Error>");
    assertThat(queue.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?><QueueMessage><MessageText>a"
            + "</MessageText></QueueMessage>",
        "<?xml version='1.0' encoding='utf-8'?>\n<QueueMessage><MessageText>a</MessageText>"
            + "</QueueMessage>",
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?><QueueMessage>"
            + "<MessageText>a</MessageText></QueueMessage>",
        "<QueueMessage>\r\n  <MessageText>a</MessageText>\r\n</QueueMessage>\r\n",
        "<QueueMessage><MessageText><![CDATA[a]]></MessageText></QueueMessage>",
        "<QueueMessage><Other><x/></Other><MessageText>&#97;</MessageText></QueueMessage>",
        "<QueueMessage><!-- why --><MessageText>a</MessageText></QueueMessage>"
      })
  @Covers(Area.TYPES)
  @Documented("queue-rest 2.6, 11: bodies of the official clients")
  void aBodyIsReadAsTheClientsWriteIt(String body) {
    expect(queue.wire().request("POST", queue.messages("")).body(body).send()).status(201);
    assertThat(queue.takenOne("").text()).isEqualTo("a");
  }

  @Test
  @Documented("queue-rest 2.3: do not require a content type")
  void theContentTypeDoesNotMatter() {
    expect(queue.put("a", "").without("Content-Type").send()).status(201);
    expect(queue.put("b", "").header("Content-Type", "text/plain").send()).status(201);
    assertThat(queue.peeked()).extracting(QueueMessage::text).containsExactly("a", "b");
  }
}
