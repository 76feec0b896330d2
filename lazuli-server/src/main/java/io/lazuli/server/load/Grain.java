package io.lazuli.server.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The lengths of periods that are kept. The slots of a grain are in tables for a longer period
 * each, so that old ones are forgotten by dropping a table.
 */
enum Grain {
  MINUTE("1m", Duration.ofMinutes(1), Duration.ofHours(24), Duration.ofHours(6), 20 << 10),
  QUARTER("15m", Duration.ofMinutes(15), Duration.ofDays(14), Duration.ofDays(1), 16 << 10),
  SIX_HOURS("6h", Duration.ofHours(6), Duration.ofDays(14), Duration.ofDays(7), 24 << 10),
  /** Sums of spaces without their ranges, for costs. */
  TOTALS("totals", Duration.ofHours(6), Duration.ofDays(400), Duration.ofDays(40), 40 << 10),
  /** Sizes of spaces, measured once a day. */
  STORED("stored", Duration.ofDays(1), Duration.ofDays(400), Duration.ofDays(40), 40 << 10);

  /** The start of all names of tables. */
  static final String PREFIX = "load-";

  private final String text;
  private final Duration length;
  private final Duration kept;
  private final Duration table;
  private final int bytesMax;

  Grain(String text, Duration length, Duration kept, Duration table, int bytesMax) {
    this.text = text;
    this.length = length;
    this.kept = kept;
    this.table = table;
    this.bytesMax = bytesMax;
  }

  String text() {
    return text;
  }

  int seconds() {
    return (int) length.toSeconds();
  }

  /** Returns the bytes of a slot. */
  int bytesMax() {
    return bytesMax;
  }

  Duration kept() {
    return kept;
  }

  /** Returns the start of the slot of a moment. */
  long slot(long second) {
    return second - Math.floorMod(second, length.toSeconds());
  }

  /** Returns the name of the table of a slot. */
  String table(long start) {
    return PREFIX + text + "-" + "%012d".formatted(start - Math.floorMod(start, table.toSeconds()));
  }

  /** Returns the names of the tables whose slots are in a window. */
  List<String> tables(long from, long to) {
    List<String> names = new ArrayList<>();
    long step = table.toSeconds();
    for (long at = from - Math.floorMod(from, step); at < to; at += step) {
      names.add(table(at));
    }
    return names;
  }

  /** Returns the first second of a table of this grain. */
  long start(String name) {
    return Long.parseLong(name.substring(PREFIX.length() + text.length() + 1));
  }

  /** Returns the first second after a table of this grain. */
  long end(String name) {
    return start(name) + table.toSeconds();
  }

  /** Returns whether a table has only slots that are too old. */
  boolean isOld(String name, Instant now) {
    String start = PREFIX + text + "-";
    if (!name.startsWith(start) || !name.substring(start.length()).matches("\\d{12}")) {
      return false;
    }
    return end(name) <= now.minus(kept).getEpochSecond();
  }
}
