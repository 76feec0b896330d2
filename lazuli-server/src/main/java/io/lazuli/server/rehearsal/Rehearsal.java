package io.lazuli.server.rehearsal;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The trouble to cause on purpose, and how often.
 *
 * @param percents the percentage of the requests that a fault applies to; absent faults never occur
 * @param deleting how long the name of a deleted table answers {@code TableBeingDeleted}
 * @param latency the maximum delay of an answer; each delay is random
 * @param seed the same seed causes the same trouble for the same requests in the same order
 */
public record Rehearsal(
    Map<Fault, Integer> percents, Duration deleting, Duration latency, long seed) {
  /** No trouble. */
  public static final Rehearsal OFF = new Rehearsal(Map.of(), Duration.ZERO, Duration.ZERO, 1);

  /** Some of every kind of trouble that a client must cope with. */
  private static final String ALL =
      "busy=5,timeout-before=2,timeout-after=2,cut-pages=50,empty-pages=20,partition-tokens=50,"
          + "deleting=40,latency=20";

  /** Beyond this percentage, a client that retries would make hardly any progress. */
  private static final int PERCENT_MAX = 90;

  private static final int SECONDS_MAX = 3_600;
  private static final int MILLIS_MAX = 60_000;

  public Rehearsal {
    percents = Collections.unmodifiableMap(new EnumMap<>(withoutZeros(percents)));
  }

  private static Map<Fault, Integer> withoutZeros(Map<Fault, Integer> percents) {
    Map<Fault, Integer> some = new EnumMap<>(Fault.class);
    percents.forEach(
        (fault, percent) -> {
          if (percent > 0) {
            some.put(fault, percent);
          }
        });
    return some;
  }

  public boolean isOff() {
    return percents.isEmpty() && deleting.isZero() && latency.isZero();
  }

  /**
   * Reads a list like {@code busy=5,deleting=40}; {@code all} stands for some of everything. Later
   * entries override earlier ones.
   *
   * @return null if the text is not such a list
   */
  public static @Nullable Rehearsal parse(String text) {
    Rehearsal read = OFF;
    for (String part : text.replace("all", ALL).split(",", -1)) {
      int equals = part.indexOf('=');
      Rehearsal next =
          equals < 0
              ? null
              : read.with(part.substring(0, equals).strip(), part.substring(equals + 1));
      if (next == null) {
        return null;
      }
      read = next;
    }
    return read;
  }

  /** Returns a text that {@link #parse} reads as this value. */
  public String text() {
    StringJoiner list = new StringJoiner(",");
    percents.forEach((fault, percent) -> list.add(fault.label() + "=" + percent));
    if (!deleting.isZero()) {
      list.add("deleting=" + deleting.toSeconds());
    }
    if (!latency.isZero()) {
      list.add("latency=" + latency.toMillis());
    }
    return list.add("seed=" + seed).toString();
  }

  private @Nullable Rehearsal with(String name, String value) {
    long number;
    try {
      number = Long.parseLong(value.strip());
    } catch (NumberFormatException e) {
      return null;
    }
    return number < 0 ? null : with(name, number);
  }

  private @Nullable Rehearsal with(String name, long number) {
    return switch (name) {
      case "seed" -> new Rehearsal(percents, deleting, latency, number);
      case "deleting" ->
          number > SECONDS_MAX
              ? null
              : new Rehearsal(percents, Duration.ofSeconds(number), latency, seed);
      case "latency" ->
          number > MILLIS_MAX
              ? null
              : new Rehearsal(percents, deleting, Duration.ofMillis(number), seed);
      default -> withShare(name, number);
    };
  }

  private @Nullable Rehearsal withShare(String name, long percent) {
    for (Fault fault : Fault.values()) {
      if (fault.label().equals(name) && percent <= PERCENT_MAX) {
        Map<Fault, Integer> changed = new EnumMap<>(Fault.class);
        changed.putAll(percents);
        changed.put(fault, (int) percent);
        return new Rehearsal(changed, deleting, latency, seed);
      }
    }
    return null;
  }
}
