package io.lazuli.server.table.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.entity.Utf16Order;
import io.lazuli.storage.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Utf8Test {
  /** UTF-16 units at the limits of the encoded lengths and of the surrogates. */
  private static final String UNITS =
      "\0a\u007f\u0080\u07ff\u0800\ud7ff\ud800\ud83d\udbff\udc00\ude00\udfff\ue000\uffff";

  @Test
  void valuesAreUtf8() {
    for (String text : List.of("", "plain", "é", "日本", "😀", "a😀\uffff")) {
      assertThat(Utf8.encodeValue(text)).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void keysWriteSurrogatesOneByOne() {
    assertThat(Utf8.encodeKey("😀")).hasSize(6);
    assertThat(Utf8.encodeKey("日")).isEqualTo("日".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void emptyAndLongestKeysKeepTheirOrder() {
    String longest = "\uffff".repeat(1_024);
    assertThat(compareKeys("", "\0")).isNegative();
    assertThat(compareKeys("", "")).isZero();
    assertThat(compareKeys(longest, longest.substring(1))).isPositive();
    assertThat(compareKeys("😀".repeat(512), "\ue000")).isNegative();
    assertThat(decode(Utf8.encodeKey(longest))).isEqualTo(longest);
  }

  @Test
  void bothDialectsLoseNothingAndKeepTheOrder() {
    Fuzz.run(20_000, Random::nextLong, Utf8Test::bothDialectsLoseNothingAndKeepTheOrder);
  }

  private static void bothDialectsLoseNothingAndKeepTheOrder(long seed) {
    Random random = new Random(seed);
    String common = text(random);
    String a = common + text(random);
    String b = common + text(random);
    assertThat(decode(Utf8.encodeKey(a))).isEqualTo(a);
    assertThat(decode(Utf8.encodeValue(a))).isEqualTo(a);
    assertThat(Integer.signum(compareKeys(a, b))).isEqualTo(Integer.signum(a.compareTo(b)));
    assertThat(Integer.signum(compareValues(a, b))).isEqualTo(Integer.signum(a.compareTo(b)));
    byte[] value = Utf8.encodeValue(a);
    assertThat(Utf8.utf16Length(value, 0, value.length)).isEqualTo(a.length());
  }

  @Test
  void keysAreKnownByTheirBytes() {
    Fuzz.run(2_000, Random::nextLong, Utf8Test::keysAreKnownByTheirBytes);
  }

  private static void keysAreKnownByTheirBytes(long seed) {
    Random random = new Random(seed);
    byte[] key = Utf8.encodeKey(text(random) + "é");
    assertThat(Utf8.isKey(key)).isTrue();
    assertThat(Utf8.isKey(Arrays.copyOf(key, key.length - 1))).isFalse();
    byte[] other = key.clone();
    other[random.nextInt(other.length)] = (byte) 0xf0;
    assertThat(Utf8.isKey(other)).isFalse();
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      text.append(UNITS.charAt(random.nextInt(UNITS.length())));
    }
    return text.toString();
  }

  private static int compareKeys(String a, String b) {
    return Arrays.compareUnsigned(Utf8.encodeKey(a), Utf8.encodeKey(b));
  }

  /** Places both values inside an array, as in a record. */
  private static int compareValues(String a, String b) {
    byte[] x = Utf8.encodeValue("ä" + a + "é");
    byte[] y = Utf8.encodeValue("b" + b + "\uffff");
    int aLength = Utf8.encodeValue(a).length;
    int bLength = Utf8.encodeValue(b).length;
    return Utf16Order.compare(x, 2, aLength, y, 1, bLength);
  }

  private static String decode(byte[] bytes) {
    return Utf8.decode(bytes, 0, bytes.length);
  }
}
