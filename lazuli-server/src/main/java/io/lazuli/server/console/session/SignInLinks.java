package io.lazuli.server.console.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One-time secrets that sign an administrator in. Who can read the data folder or the log of the
 * server can have one. Safe for use by many threads.
 */
public final class SignInLinks {
  /** The maximum number of links that wait; the oldest makes room for a new one. */
  public static final int LINKS_MAX = 16;

  /** How long a link works. */
  public static final Duration TIME_MAX = Duration.ofSeconds(60);

  private final Clock clock;

  /** The ends of links, by the hash of their secret, the oldest first. Guarded by this. */
  private final Map<String, Instant> ends = new LinkedHashMap<>();

  public SignInLinks(Clock clock) {
    this.clock = clock;
  }

  /** Makes a secret that works once. */
  public synchronized String create() {
    if (ends.size() >= LINKS_MAX) {
      ends.remove(ends.keySet().iterator().next());
    }
    String secret = SecretText.create();
    ends.put(SecretText.hash(secret), clock.instant().plus(TIME_MAX));
    return secret;
  }

  /** Uses up a secret. Returns whether it was one. */
  public synchronized boolean use(String secret) {
    Instant end = ends.remove(SecretText.hash(secret));
    return end != null && !clock.instant().isAfter(end);
  }
}
