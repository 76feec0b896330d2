package io.lazuli.storage.work;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Knows for how long the counts of sessions have not changed, as this server has seen them (rule 2
 * of {@link WorkLeases}). Mutable; used by one thread.
 */
final class Silences {
  /** A count, and when it was first seen. */
  private record Seen(long count, long nanos) {}

  private final Duration max;
  private final Map<Long, Seen> seen = new HashMap<>();

  /**
   * @param max the time without a change after which a session is silent
   */
  Silences(Duration max) {
    this.max = max;
  }

  /** Measures all silences from the next look on. */
  void restart() {
    seen.clear();
  }

  /** Notes when the count of each session was first seen. */
  void observe(Map<Long, Member> members, long nanos) {
    seen.keySet().retainAll(members.keySet());
    members.forEach(
        (session, member) -> {
          Seen before = seen.get(session);
          if (before == null || before.count != member.count()) {
            seen.put(session, new Seen(member.count(), nanos));
          }
        });
  }

  /** Returns the silent sessions, with the counts that were seen. */
  SortedMap<Long, Long> silent(long nanos) {
    SortedMap<Long, Long> silent = new TreeMap<>();
    seen.forEach(
        (session, since) -> {
          if (nanos - since.nanos >= max.toNanos()) {
            silent.put(session, since.count);
          }
        });
    return silent;
  }

  /** Returns the counts of all sessions. */
  static SortedMap<Long, Long> counts(Map<Long, Member> members) {
    SortedMap<Long, Long> counts = new TreeMap<>();
    members.forEach((session, member) -> counts.put(session, member.count()));
    return counts;
  }
}
