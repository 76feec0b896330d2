package io.lazuli.server.live;

import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;

/** Counts errors by account, service, operation and code, for the last hour. Thread-safe. */
public final class ErrorCounts {
  /** The number of different errors that are counted. */
  static final int KINDS_MAX = 512;

  private static final int MINUTES = 60;
  private static final int MILLIS = 60_000;

  private record Key(String account, String service, String operation, int status, String code) {}

  /**
   * The number of an error.
   *
   * @param lastId the id of the last request with the error
   */
  public record Count(
      String service,
      String operation,
      int status,
      String code,
      long lastHour,
      long lastMillis,
      String lastId) {}

  private static final class Counter {
    private final AtomicIntegerArray minutes = new AtomicIntegerArray(MINUTES);
    private volatile long last;
    private volatile String lastId = "";
  }

  private final LongSupplier millis;
  private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

  ErrorCounts(LongSupplier millis) {
    this.millis = millis;
  }

  void add(String service, RequestEvent event) {
    OperationType operation = event.operation();
    Key key =
        new Key(
            event.account(),
            service,
            operation == null ? "Unknown" : operation.documentedName(),
            event.status(),
            event.errorCode());
    Counter counter = counters.get(key);
    if (counter == null) {
      if (counters.size() >= KINDS_MAX) {
        forget();
        if (counters.size() >= KINDS_MAX) {
          return;
        }
      }
      counter = counters.computeIfAbsent(key, missing -> new Counter());
    }
    long now = millis.getAsLong();
    clear(counter, now);
    counter.last = now;
    counter.lastId = event.requestId();
    int unused = counter.minutes.incrementAndGet((int) (now / MILLIS % MINUTES));
  }

  /** Clears the minutes that have passed since the last error. */
  private static void clear(Counter counter, long now) {
    long last = counter.last / MILLIS;
    for (long minute = Math.max(last + 1, now / MILLIS - MINUTES + 1);
        minute <= now / MILLIS;
        minute++) {
      counter.minutes.set((int) (minute % MINUTES), 0);
    }
  }

  private void forget() {
    long oldest = millis.getAsLong() - (long) MINUTES * MILLIS;
    counters.values().removeIf(counter -> counter.last < oldest);
  }

  /** Returns the errors of an account in the last hour, the most frequent first. */
  public List<Count> of(String account) {
    long now = millis.getAsLong();
    List<Count> found = new ArrayList<>();
    counters.forEach(
        (key, counter) -> {
          if (key.account.equals(account)) {
            long sum = 0;
            for (int age = 0; age < MINUTES; age++) {
              long minute = now / MILLIS - age;
              sum +=
                  minute <= counter.last / MILLIS
                      ? counter.minutes.get((int) Math.floorMod(minute, (long) MINUTES))
                      : 0;
            }
            if (sum > 0) {
              found.add(
                  new Count(
                      key.service,
                      key.operation,
                      key.status,
                      key.code,
                      sum,
                      counter.last,
                      counter.lastId));
            }
          }
        });
    found.sort(Comparator.comparingLong(Count::lastHour).reversed().thenComparing(Count::code));
    return found;
  }
}
