package io.lazuli.conformance.turns;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The first line and the headers of a request or an answer, with the empty line after them. It may
 * be incomplete.
 */
record MessageHead(byte[] bytes) {
  private static final Pattern REQUEST_LINE = Pattern.compile("[A-Z]+ \\S+ HTTP/1\\.1");
  private static final Pattern HEADER = Pattern.compile("[!-9;-~]+:[\\t -~]*");

  /** A longer head is passed on without being understood. */
  private static final int BYTES_MAX = 256 << 10;

  /** Reads up to the empty line, the end of the input, or the socket's time limit. */
  static MessageHead read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int lineLength = 0;
    boolean ended = false;
    while (!ended && head.size() < BYTES_MAX) {
      int next;
      try {
        next = in.read();
      } catch (SocketTimeoutException e) {
        break;
      }
      if (next < 0) {
        break;
      }
      head.write(next);
      if (next == '\n') {
        ended = lineLength == 0;
        lineLength = 0;
      } else if (next != '\r') {
        lineLength++;
      }
    }
    return new MessageHead(head.toByteArray());
  }

  boolean isEmpty() {
    return bytes.length == 0;
  }

  /** Returns true for a request whose end is known in advance, and that has nothing unusual. */
  boolean isPlainRequest() {
    String text = text();
    List<String> lines = lines();
    return text.endsWith("\r\n\r\n")
        && REQUEST_LINE.matcher(lines.get(0)).matches()
        && lines.stream().skip(1).allMatch(line -> HEADER.matcher(line).matches())
        && count("transfer-encoding") + count("expect") + count("upgrade") == 0
        && count("content-length") <= 1
        && value("content-length").matches("\\d{0,15}");
  }

  String method() {
    return lines().get(0).split(" ", 2)[0];
  }

  /** Returns the status of an answer. */
  int status() {
    return Integer.parseInt(lines().get(0).split(" ", 3)[1]);
  }

  /** Returns the value of a header in lower case; empty if there is none. */
  String value(String name) {
    return lines().stream()
        .filter(line -> isNamed(line, name))
        .findFirst()
        .map(line -> line.substring(name.length() + 1).strip().toLowerCase(Locale.ROOT))
        .orElse("");
  }

  private long count(String name) {
    return lines().stream().filter(line -> isNamed(line, name)).count();
  }

  private static boolean isNamed(String line, String name) {
    return line.toLowerCase(Locale.ROOT).startsWith(name + ":");
  }

  private List<String> lines() {
    return text().lines().takeWhile(line -> !line.isEmpty()).toList();
  }

  private String text() {
    return new String(bytes, ISO_8859_1);
  }
}
