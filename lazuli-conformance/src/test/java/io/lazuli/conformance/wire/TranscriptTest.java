package io.lazuli.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.StorageService;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks which answers a player accepts and which differences it reports. */
class TranscriptTest {

  private final TranscriptPlayer player =
      new TranscriptPlayer(
          new WireClient(
              Account.development(
                  StorageService.TABLE, URI.create("http://127.0.0.1:10002/devstoreaccount1"))),
          "table",
          "Orders");

  private static Transcript.Exchange exchange(String answer) {
    return new Transcript.Exchange("title", "GET / HTTP/1.1", answer);
  }

  private static WireAnswer answer(String body, Header... headers) {
    return WireAnswer.of(
        "HTTP/1.1 200 OK", List.of(headers), body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void textIsReadAndWrittenBack() {
    String text = "### one\nGET / HTTP/1.1\n<<<\nHTTP/1.1 200 OK\n\nbody\n### two\nx\n<<<\ny\n";
    Transcript transcript = Transcript.parse("an introduction\n\n" + text);
    assertThat(transcript.exchanges()).hasSize(2);
    assertThat(transcript.exchanges().get(0).answer()).isEqualTo("HTTP/1.1 200 OK\n\nbody");
    assertThat(transcript.text()).isEqualTo(text);
  }

  @Test
  void aTagAndItsTimestampAreOneValue() {
    Transcript.Exchange expected =
        exchange("HTTP/1.1 200 OK\nETag: W/\"datetime'{tag:a}'\"\n\n{\"Timestamp\":\"{stamp:a}\"}");
    Header tag = new Header("ETag", "W/\"datetime'2024-01-15T10%3A30%3A00.1Z'\"");
    String same = "{\"Timestamp\":\"2024-01-15T10:30:00.1Z\"}";
    assertThat(player.differences(expected, answer(same, tag))).isEmpty();
    String other = "{\"Timestamp\":\"2024-01-15T10:30:00.2Z\"}";
    assertThat(player.differences(expected, answer(other, tag))).hasSize(1);
  }

  @Test
  void headersThatAreMissingOrNotExpectedAreReported() {
    Transcript.Exchange expected = exchange("HTTP/1.1 200 OK\nLocation: {base}/{table}");
    Header location = new Header("location", "http://127.0.0.1:10002/devstoreaccount1/Orders");
    assertThat(player.differences(expected, answer("", location))).isEmpty();
    assertThat(player.differences(expected, answer(""))).hasSize(1);
    assertThat(player.differences(expected, answer("", location, new Header("ETag", "x"))))
        .hasSize(1);
    assertThat(player.differences(expected, answer("body", location))).hasSize(1);
  }

  @Test
  void linesOfABodyEndWithCarriageReturnAndLineFeed() {
    Transcript.Exchange expected = exchange("HTTP/1.1 200 OK\n\none\ntwo\n");
    assertThat(player.differences(expected, answer("one\r\ntwo\r\n"))).isEmpty();
    assertThat(player.differences(expected, answer("one\ntwo\n"))).hasSize(1);
  }

  @Test
  void aRecordingHasPlaceholdersForWhatDiffers() {
    Transcript.Exchange expected = exchange("HTTP/1.1 200 OK\nETag: W/\"datetime'{tag:a}'\"");
    WireAnswer answer =
        answer(
            "c9da6455-213d-42c9-9a79-3e9149a57833 http://127.0.0.1:10002/devstoreaccount1/Orders",
            new Header("ETag", "W/\"datetime'2024-01-15T10%3A30%3A00.1Z'\""),
            new Header("Date", "now"));
    player.differences(expected, answer);
    assertThat(player.recorded(expected, answer).answer())
        .isEqualTo("HTTP/1.1 200 OK\nETag: W/\"datetime'{tag:a}'\"\n\n{guid} {base}/{table}");
  }
}
