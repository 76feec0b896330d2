package io.lazuli.server.load.rule;

import io.lazuli.server.load.count.OperationClass;
import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.count.Tally;
import io.lazuli.server.load.fact.SpaceLoad;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Remembers for each queue when somebody last asked for a message, the longest pause between two
 * such moments in seven days, and what came and went in half an hour. Belongs to one thread.
 */
public final class QueueTimes {
  /** The number of queues that are remembered: those that were used last. */
  static final int QUEUES_MAX = 512;

  static final int HALF_HOUR = 30;
  private static final int DAYS = 7;
  private static final long DAY = 24 * 60 * 60;
  private static final int TAKES = Tally.of(OperationClass.TAKE);
  private static final int PUTS = Tally.of(OperationClass.INSERT);
  private static final int DELETES = Tally.of(OperationClass.DELETE);

  /** Puts and deletes of one minute. */
  private record Flow(long minute, long puts, long deletes) {}

  /** The times of a queue. They are in seconds since 1970. Mutable. */
  static final class Times {
    private long firstSeen;
    private long lastUse;
    private long lastTake;
    private final long[] gaps = new long[DAYS];
    private final long[] gapDays = new long[DAYS];
    private final Deque<Flow> flows = new ArrayDeque<>();

    long firstSeen() {
      return firstSeen;
    }

    /** Returns when somebody last asked for a message; the first use if nobody has. */
    long lastTake() {
      return lastTake == 0 ? firstSeen : lastTake;
    }

    boolean wasTaken() {
      return lastTake > 0;
    }

    long longestGap(long now) {
      long longest = 0;
      for (int i = 0; i < DAYS; i++) {
        longest = now / DAY - gapDays[i] < DAYS ? Math.max(longest, gaps[i]) : longest;
      }
      return longest;
    }

    long puts() {
      return flows.stream().mapToLong(Flow::puts).sum();
    }

    long deletes() {
      return flows.stream().mapToLong(Flow::deletes).sum();
    }

    private void gap(long seconds, long now) {
      int place = (int) (now / DAY % DAYS);
      if (gapDays[place] != now / DAY) {
        gapDays[place] = now / DAY;
        gaps[place] = 0;
      }
      gaps[place] = Math.max(gaps[place], seconds);
    }
  }

  private final Map<SpaceName, Times> queues = new TreeMap<>();

  public QueueTimes() {}

  /** Adds a minute, which begins at that time. */
  public void add(long start, Iterable<SpaceLoad> spaces) {
    for (SpaceLoad space : spaces) {
      if (space.name().service().equals("queue") && !space.name().isRest()) {
        add(start, space);
      }
    }
    long oldest = start / 60 - HALF_HOUR;
    queues.values().forEach(times -> times.flows.removeIf(flow -> flow.minute <= oldest));
    while (queues.size() > QUEUES_MAX) {
      queues.remove(
          queues.entrySet().stream()
              .min(Comparator.comparingLong(entry -> entry.getValue().lastUse))
              .orElseThrow()
              .getKey());
    }
  }

  private void add(long start, SpaceLoad space) {
    Times times = queues.computeIfAbsent(space.name(), missing -> new Times());
    times.firstSeen = times.firstSeen == 0 ? start : times.firstSeen;
    times.lastUse = start;
    if (space.count(TAKES) > 0) {
      if (times.lastTake > 0) {
        times.gap(start - times.lastTake, start);
      }
      times.lastTake = start + 60;
    }
    times.flows.add(new Flow(start / 60, space.count(PUTS), space.count(DELETES)));
  }

  /** Returns what is remembered; a queue that is not known has never been used. */
  Times of(SpaceName queue) {
    return queues.getOrDefault(queue, new Times());
  }

  /** Returns what should survive a restart. */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(1);
      out.writeInt(queues.size());
      for (Map.Entry<SpaceName, Times> entry : queues.entrySet()) {
        out.writeUTF(entry.getKey().account());
        out.writeUTF(entry.getKey().name());
        out.writeInt((int) entry.getValue().firstSeen);
        out.writeInt((int) entry.getValue().lastUse);
        out.writeInt((int) entry.getValue().lastTake);
        for (int i = 0; i < DAYS; i++) {
          out.writeInt((int) entry.getValue().gaps[i]);
          out.writeShort((int) entry.getValue().gapDays[i]);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Takes over what {@link #encode} returned before a restart. */
  public void restore(byte[] encoded) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded));
    if (in.readByte() != 1) {
      return;
    }
    for (int left = Math.min(in.readInt(), QUEUES_MAX); left > 0; left--) {
      SpaceName name = new SpaceName(in.readUTF(), "queue", in.readUTF());
      Times times = new Times();
      times.firstSeen = in.readInt();
      times.lastUse = in.readInt();
      times.lastTake = in.readInt();
      for (int i = 0; i < DAYS; i++) {
        times.gaps[i] = in.readInt();
        times.gapDays[i] = in.readUnsignedShort();
      }
      queues.put(name, times);
    }
  }
}
