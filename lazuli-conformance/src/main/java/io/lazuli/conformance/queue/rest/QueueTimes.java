package io.lazuli.conformance.queue.rest;

import io.lazuli.conformance.wire.WireAnswer;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Reads times from the headers of answers. */
final class QueueTimes {

  private QueueTimes() {}

  /** Returns the time in the Date header. */
  static Instant date(WireAnswer answer) {
    return header(answer, "Date");
  }

  static Instant header(WireAnswer answer, String name) {
    String text = answer.header(name).orElseThrow(() -> new AssertionError("there is no " + name));
    return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
  }
}
