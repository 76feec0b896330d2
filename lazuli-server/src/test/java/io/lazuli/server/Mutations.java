package io.lazuli.server;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Makes bad input from good input: examples of a format, damaged in a few places. Texts have one
 * character per byte, as on a wire.
 */
public final class Mutations {
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-1",
          "-0",
          "1001",
          "2147483647",
          "2147483648",
          "-2147483649",
          "4294967296",
          "9223372036854775807",
          "9223372036854775808",
          "1e308",
          "1e309",
          "00000000000000000001",
          "99999999999999999999999999999999999999");
  private static final List<String> ODD =
      List.of(
          "",
          "\0",
          "\u0001",
          "\u007f",
          "\u00ff",
          "\r",
          "\n",
          "\r\n",
          "\r\n\r\n",
          "\t",
          " ",
          "'",
          "''",
          "\"",
          "\\",
          "\\u0000",
          "\\ud800",
          "%",
          "%0",
          "%00",
          "%zz",
          "%2",
          "%27",
          "%2F",
          "%c3%a9",
          "%ed%a0%80",
          "%f0%9f%98%80",
          "+",
          "&",
          "=",
          "?",
          "/",
          "//",
          "/../",
          ";",
          ":",
          ",",
          "(",
          ")",
          "()",
          "[",
          "{",
          "}",
          "<",
          ">",
          "--",
          "\u00c3\u00a9",
          "\u00ed\u00a0\u0080",
          "\u00ef\u00bb\u00bf",
          "\u00f0\u009f\u0098\u0080",
          "null",
          "true",
          "NaN");
  private static final int LENGTH_MAX = 64 << 10;

  private final List<String> examples;
  private final List<String> pieces;

  /**
   * @param pieces words of the format to insert
   */
  public Mutations(List<String> examples, String... pieces) {
    this.examples = examples.stream().map(Mutations::bytes).toList();
    this.pieces = List.of(pieces);
  }

  /** Returns the bytes of a text, one character per byte. */
  public static String bytes(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Returns the bytes that such a text stands for. */
  public static byte[] toBytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns an example with one to four damages. */
  public String next(Random random) {
    return damaged(pick(examples, random), random);
  }

  /** Returns the text with one to four damages. */
  public String damaged(String text, Random random) {
    StringBuilder out = new StringBuilder(text);
    for (int i = random.nextInt(4); i >= 0; i--) {
      damage(out, random);
      out.setLength(Math.min(out.length(), LENGTH_MAX));
    }
    return out.toString();
  }

  private void damage(StringBuilder out, Random random) {
    int from = random.nextInt(out.length() + 1);
    int to = Math.min(out.length(), from + random.nextInt(random.nextInt(8) == 0 ? 200 : 8));
    switch (random.nextInt(9)) {
      case 0 -> flip(out, from, random);
      case 1 -> out.delete(from, to);
      case 2 -> out.insert(from, out.substring(from, to));
      case 3 -> out.replace(from, to, pick(ODD, random));
      case 4 -> out.insert(from, pick(pieces.isEmpty() ? ODD : pieces, random));
      case 5 -> out.replace(from, out.length(), tail(pick(examples, random), random));
      case 6 -> changeNumber(out, from, random);
      case 7 -> escape(out, from);
      default -> repeat(out, from, to, random);
    }
  }

  private static void flip(StringBuilder out, int at, Random random) {
    if (at < out.length()) {
      out.setCharAt(at, (char) ((out.charAt(at) ^ 1 << random.nextInt(8)) & 0xff));
    }
  }

  private static String tail(String other, Random random) {
    return other.substring(random.nextInt(other.length() + 1));
  }

  private static void changeNumber(StringBuilder out, int near, Random random) {
    int from = near;
    while (from < out.length() && !isDigit(out.charAt(from))) {
      from++;
    }
    int to = from;
    while (to < out.length() && isDigit(out.charAt(to))) {
      to++;
    }
    out.replace(from, to, pick(NUMBERS, random));
  }

  private static void escape(StringBuilder out, int at) {
    if (at < out.length()) {
      out.replace(at, at + 1, String.format("%%%02x", (int) out.charAt(at)));
    }
  }

  private static void repeat(StringBuilder out, int from, int to, Random random) {
    int times = random.nextInt(20) == 0 ? 5_000 : random.nextInt(40);
    String piece = out.substring(from, to);
    out.insert(from, piece.repeat(Math.min(times, LENGTH_MAX / Math.max(1, piece.length()))));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static String pick(List<String> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }
}
