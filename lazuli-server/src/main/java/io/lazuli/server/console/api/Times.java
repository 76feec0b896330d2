package io.lazuli.server.console.api;

import io.lazuli.server.console.json.ConsoleErrors;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Times in parameters. */
final class Times {
  private Times() {}

  /** Returns a time in seconds since 1970; throws 400 if the text is not a time. */
  static long seconds(@Nullable String text, long otherwise) {
    try {
      return text == null ? otherwise : Instant.parse(text).getEpochSecond();
    } catch (DateTimeParseException e) {
      throw ConsoleErrors.badRequest("A time must have the form 2026-11-18T06:00:00Z.");
    }
  }
}
