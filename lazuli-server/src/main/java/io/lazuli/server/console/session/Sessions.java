package io.lazuli.server.console.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of the console, in memory: a restart ends all. The number is bounded; the session
 * that was idle for the longest time makes room for a new one. Safe for use by many threads.
 */
public final class Sessions {
  /** The maximum number of sessions. */
  public static final int SESSIONS_MAX = 64;

  /** How long a session lasts. */
  public static final Duration TIME_MAX = Duration.ofHours(12);

  /** How long a session lasts without a request. */
  public static final Duration IDLE_TIME_MAX = Duration.ofMinutes(30);

  private record Entry(Session session, Instant used) {}

  private final Clock clock;

  /** Sessions by the hash of their secret, the longest idle first. Guarded by this. */
  private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

  public Sessions(Clock clock) {
    this.clock = clock;
  }

  /** Begins a session. Returns the secret, which only the user's browser keeps. */
  public synchronized String begin(String user, Role role) {
    Instant now = clock.instant();
    entries.values().removeIf(entry -> isOver(entry, now));
    if (entries.size() >= SESSIONS_MAX) {
      entries.remove(entries.keySet().iterator().next());
    }
    String secret = SecretText.create();
    Session session = new Session(user, role, now.plus(TIME_MAX));
    entries.put(SecretText.hash(secret), new Entry(session, now));
    return secret;
  }

  /** Returns the session with this secret, which is not idle from now on; null if there is none. */
  public synchronized @Nullable Session use(@Nullable String secret) {
    String key = secret == null ? "" : SecretText.hash(secret);
    Entry entry = entries.get(key);
    Instant now = clock.instant();
    if (entry == null || isOver(entry, now)) {
      entries.remove(key);
      return null;
    }
    entries.put(key, new Entry(entry.session, now));
    return entry.session;
  }

  /** Ends all sessions of a user. */
  public synchronized void end(String user) {
    entries.values().removeIf(entry -> entry.session.user().equals(user));
  }

  synchronized int count() {
    return entries.size();
  }

  private static boolean isOver(Entry entry, Instant now) {
    return now.isAfter(entry.session.ends()) || now.isAfter(entry.used.plus(IDLE_TIME_MAX));
  }
}
