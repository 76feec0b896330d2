package io.lazuli.transfer.parquet;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** A time of the protocol as microseconds since 1970 and the ticks of 100 ns beyond them. */
record EdmTime(long micros, int ticks) {
  static EdmTime parse(String text) {
    Instant instant = Instant.parse(text);
    long micros =
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000) + instant.getNano() / 1000;
    return new EdmTime(micros, instant.getNano() % 1000 / 100);
  }

  /** Returns the text as in the protocol, with seven digits after the point if there are any. */
  String text() {
    long seconds = Math.floorDiv(micros, 1_000_000L);
    int nanos = (int) Math.floorMod(micros, 1_000_000L) * 1000 + ticks * 100;
    LocalDateTime time = LocalDateTime.ofEpochSecond(seconds, 0, ZoneOffset.UTC);
    String whole = time.toLocalDate() + "T" + clock(time);
    return nanos == 0 ? whole + "Z" : whole + "." + digits(nanos / 100) + "Z";
  }

  private static String clock(LocalDateTime time) {
    return two(time.getHour()) + ":" + two(time.getMinute()) + ":" + two(time.getSecond());
  }

  private static String two(int number) {
    return number < 10 ? "0" + number : Integer.toString(number);
  }

  private static String digits(int ticks) {
    String text = Integer.toString(10_000_000 + ticks).substring(1);
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    return text.substring(0, end);
  }
}
