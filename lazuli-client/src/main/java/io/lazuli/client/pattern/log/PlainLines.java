package io.lazuli.client.pattern.log;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/**
 * Lines with a time and a text. Line breaks in the text are escaped, so that an entry is one line.
 */
enum PlainLines implements LogFormat {
  INSTANCE;

  byte[] line(LogEntry entry) {
    return (entry.time() + " " + escaped(entry.text()) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public LogEntry parse(String line) {
    int space = line.indexOf(' ');
    try {
      Instant time = Instant.parse(line.substring(0, Math.max(space, 0)));
      return new LogEntry(time, unescaped(line.substring(space + 1)));
    } catch (DateTimeException failure) {
      throw new IllegalArgumentException("not a log line: " + line, failure);
    }
  }

  @Override
  public Duration lateMax() {
    return Duration.ZERO;
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        c = unescaped(text.charAt(i));
      }
      plain.append(c);
    }
    return plain.toString();
  }

  private static char unescaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      default -> c;
    };
  }
}
