package io.lazuli.conformance.blob.rest;

import io.lazuli.conformance.wire.WireAnswer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Reads and writes dates in headers. */
final class HttpDates {

  private HttpDates() {}

  static Instant lastModified(WireAnswer answer) {
    String date =
        answer
            .header("Last-Modified")
            .orElseThrow(() -> new AssertionError("there is no Last-Modified: " + answer));
    return parse(date);
  }

  static Instant parse(String date) {
    return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
  }

  static String format(Instant time) {
    return DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
        .format(time.atOffset(ZoneOffset.UTC));
  }

  /** Returns a time in the obsolete form {@code Sunday, 06-Nov-94 08:49:37 GMT}. */
  static String rfc850(Instant time) {
    return DateTimeFormatter.ofPattern("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", Locale.ENGLISH)
        .format(time.atOffset(ZoneOffset.UTC));
  }
}
