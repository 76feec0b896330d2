package io.lazuli.client.pattern.log;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Lines of fields that are separated by semicolons; the second field is the time. */
enum RequestLogLines implements LogFormat {
  INSTANCE;

  @Override
  public LogEntry parse(String line) {
    String[] fields = line.split(";", 3);
    if (fields.length < 3) {
      throw new IllegalArgumentException("not a line of a request log: " + line);
    }
    try {
      return new LogEntry(Instant.parse(fields[1]), line);
    } catch (DateTimeException failure) {
      throw new IllegalArgumentException("not a line of a request log: " + line, failure);
    }
  }

  @Override
  public Duration lateMax() {
    return Duration.ofHours(1);
  }
}
