package io.lazuli.server.table.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text in quotes, which is searched for special characters in steps of eight bytes. */
class JsonBufferTest {
  private static final int LENGTH_MAX = 20;

  private static String written(byte[] text, int from, int count) {
    byte[] bytes = new JsonBuffer(1).string(text, from, count).toByteArray();
    return new String(bytes, UTF_8);
  }

  /** One character at every position of texts of every short length. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8, 9, 10, 13, 31, 32, 33, '"', '\\', 127, 128, 0xed, 0xd7ff, 0xe000})
  void aCharacterIsEscapedAtEveryPosition(int character) {
    String special = Character.toString(character);
    for (int length = 0; length < LENGTH_MAX; length++) {
      for (int at = 0; at <= length; at++) {
        String before = "x".repeat(at);
        String after = "y".repeat(length - at);
        byte[] text = (before + special + after).getBytes(UTF_8);
        assertThat(written(text, 0, text.length))
            .isEqualTo('"' + before + escaped(character) + after + '"');
      }
    }
  }

  @Test
  void surrogatesAreEscapedOrJoinedAtEveryPosition() {
    for (int at = 0; at < LENGTH_MAX; at++) {
      String before = "x".repeat(at);
      assertThat(written(utf8(before, 0xd83d, 0xde00), 0, at + 6))
          .isEqualTo('"' + before + "\ud83d\ude00\"");
      assertThat(written(utf8(before, 0xd83d), 0, at + 3)).isEqualTo('"' + before + "\\ud83d\"");
      assertThat(written(utf8(before, 0xde00, 0xd83d), 0, at + 6))
          .isEqualTo('"' + before + "\\ude00\\ud83d\"");
    }
  }

  @Test
  void randomTextIsWrittenAsOneCharacterAtATime() {
    Random random = new Random(20);
    String some = "ab\"\\\n\u0001\u0019 é€\ud7a3";
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      StringBuilder expected = new StringBuilder();
      int length = random.nextInt(40);
      for (int i = 0; i < length; i++) {
        char c = random.nextInt(4) > 0 ? 'z' : some.charAt(random.nextInt(some.length()));
        text.append(c);
        expected.append(escaped(c));
      }
      byte[] utf8 = ("\"" + text + "\"").getBytes(UTF_8);
      assertThat(written(utf8, 1, utf8.length - 2)).isEqualTo("\"" + expected + "\"");
    }
  }

  private static String escaped(int character) {
    return switch (character) {
      case '"' -> "\\\"";
      case '\\' -> "\\\\";
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default ->
          character < ' ' ? String.format("\\u%04x", character) : Character.toString(character);
    };
  }

  /** Encodes surrogates as keys store them, one by one. */
  private static byte[] utf8(String before, int... units) {
    byte[] bytes = new byte[before.length() + 3 * units.length];
    System.arraycopy(before.getBytes(UTF_8), 0, bytes, 0, before.length());
    int at = before.length();
    for (int unit : units) {
      bytes[at++] = (byte) (0xe0 | unit >> 12);
      bytes[at++] = (byte) (0x80 | (unit >> 6 & 0x3f));
      bytes[at++] = (byte) (0x80 | (unit & 0x3f));
    }
    return bytes;
  }
}
