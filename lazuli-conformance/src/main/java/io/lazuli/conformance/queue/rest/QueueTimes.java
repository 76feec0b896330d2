package io.lazuli.conformance.queue.rest;

import io.lazuli.conformance.wire.WireAnswer;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Times in the headers of answers. */
final class QueueTimes {

  private QueueTimes() {}

  /** When the service says that it answered. */
  static Instant date(WireAnswer answer) {
    return header(answer, "Date");
  }

  static Instant header(WireAnswer answer, String name) {
    String text = answer.header(name).orElseThrow(() -> new AssertionError("no " + name));
    return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
  }
}
