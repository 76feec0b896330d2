package io.lazuli.server.load;

import io.lazuli.server.load.fact.Slot;
import io.lazuli.server.load.usage.UsageQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads the load of a window without its ranges, each minute once. The slots of longer periods are
 * preferred. Shorter ones fill the time for which a server has no longer slot: the period that has
 * not ended yet, and the one in which a server was killed, or was started. Mutable, for one window;
 * its methods block.
 */
final class UsageReader {
  /** The bytes that the answer to one question reads. */
  static final long READ_BYTES_MAX = 4 * Load.READ_BYTES_MAX;

  /** The servers, or starts of servers, whose slots are read from one table. */
  private static final int SERVERS_MAX = 1_024;

  /** A quarter of an hour of a server. */
  private record Quarter(String server, long start) {}

  private final LoadStore store;
  private final Consumer<Slot> to;

  /** The quarters whose load was read. */
  private final Set<Quarter> known = new HashSet<>();

  private long bytesLeft = READ_BYTES_MAX;
  private boolean complete = true;

  UsageReader(LoadStore store, Consumer<Slot> to) {
    this.store = store;
    this.to = to;
  }

  /**
   * Reads a window.
   *
   * @return false if there was more to read than the bounds allow
   */
  boolean read(UsageQuery query, Instant now) {
    List<Grain> grains =
        query.columnSeconds() == UsageQuery.DAY
            ? List.of(Grain.TOTALS, Grain.QUARTER, Grain.MINUTE)
            : List.of(Grain.QUARTER, Grain.MINUTE);
    for (Grain grain : grains) {
      // A partial slot does not say when its server began. Shorter ones do, while they are kept.
      Grain shorter = grain == Grain.TOTALS ? Grain.QUARTER : Grain.MINUTE;
      long exactFrom =
          grain == Grain.MINUTE
              ? Long.MAX_VALUE
              : now.minus(shorter.kept()).getEpochSecond() + shorter.seconds();
      long oldest = grain.slot(now.minus(grain.kept()).getEpochSecond());
      long from = Math.max(query.from(), oldest);
      for (String table : grain.tables(from, query.to())) {
        List<String> servers = store.servers(table, SERVERS_MAX);
        complete &= servers.size() < SERVERS_MAX;
        long begin = Math.max(from, grain.start(table));
        long end = Math.min(query.to(), grain.end(table));
        for (String server : servers) {
          for (long[] gap : gaps(server, begin, end)) {
            read(table, server, gap, exactFrom);
          }
        }
      }
    }
    return complete;
  }

  /** Returns the parts of a time whose load of a server was not read yet. */
  private List<long[]> gaps(String server, long begin, long end) {
    List<long[]> gaps = new ArrayList<>();
    int step = Grain.QUARTER.seconds();
    for (long slot = Grain.QUARTER.slot(begin); slot < end; slot += step) {
      if (!known.contains(new Quarter(server, slot))) {
        long[] last = gaps.isEmpty() ? null : gaps.get(gaps.size() - 1);
        if (last != null && last[1] == slot) {
          last[1] = Math.min(end, slot + step);
        } else {
          gaps.add(new long[] {Math.max(begin, slot), Math.min(end, slot + step)});
        }
      }
    }
    return gaps;
  }

  private void read(String table, String server, long[] gap, long exactFrom) {
    if (bytesLeft <= 0) {
      complete = false;
      return;
    }
    for (LoadStore.Stored stored : store.slots(table, server, gap[0], gap[1], bytesLeft)) {
      bytesLeft -= stored.bytes();
      if (bytesLeft < 0) {
        complete = false;
        return;
      }
      Slot slot = stored.slot();
      if (!slot.partial() || slot.start() < exactFrom) {
        int step = Grain.QUARTER.seconds();
        for (long at = slot.start(); at + step <= slot.start() + slot.seconds(); at += step) {
          known.add(new Quarter(server, at));
        }
        to.accept(slot);
      }
    }
  }
}
