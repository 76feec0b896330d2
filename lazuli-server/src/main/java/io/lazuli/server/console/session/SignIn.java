package io.lazuli.server.console.session;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Signs users in, by a one-time link or a password, and knows their sessions. */
public final class SignIn {
  /** The user of a one-time link. */
  public static final String LINK_USER = "link";

  private static final Duration REMEMBERED = Duration.ofMinutes(5);
  private static final int REMEMBERED_MAX = 64;

  private final boolean open;
  private final SignInLinks links;
  private final SignInAttempts attempts;
  private final Sessions sessions;
  private final Passwords passwords;
  private final Clock clock;

  /** When passwords were right, by a hash of user, password and file. Guarded by itself. */
  private final Map<String, Instant> right = new LinkedHashMap<>();

  /** Part of these hashes, so that they are of no use elsewhere. */
  private final String salt = SecretText.create();

  /**
   * @param open true if everybody is an administrator without signing in
   */
  public SignIn(boolean open, Passwords passwords, Clock clock) {
    this.open = open;
    this.passwords = passwords;
    this.clock = clock;
    this.links = new SignInLinks(clock);
    this.attempts = new SignInAttempts(clock);
    this.sessions = new Sessions(clock);
  }

  public boolean isOpen() {
    return open;
  }

  /** Returns whether an administrator can sign in with a password. */
  public boolean haveAdministrator() {
    return passwords.haveAdministrator();
  }

  /** Makes the secret of a sign-in link. */
  public String link() {
    return links.create();
  }

  /** Returns whether somebody may try to sign in now. */
  public boolean mayTry() {
    return attempts.mayTry();
  }

  /** Begins a session with a link. Returns its secret; null if the link is wrong or used up. */
  public @Nullable String byLink(String link) {
    if (links.use(link)) {
      return sessions.begin(LINK_USER, Role.ADMIN);
    }
    attempts.failed();
    return null;
  }

  /** Begins a session with a password. Returns its secret; null if the password is wrong. */
  public @Nullable String byPassword(String user, String password) {
    Role role = passwords.check(user, password);
    if (role != null) {
      return sessions.begin(user, role);
    }
    attempts.failed();
    return null;
  }

  /**
   * Returns whether a user of any role has this password. Blocks for a part of a second, but not
   * again for a user who was right in the last minutes: somebody who reads the metrics sends the
   * password with each request. Such a user is not kept out by wrong attempts of others.
   */
  public boolean isUser(String user, String password) {
    String hash = SecretText.hash(String.join("\n", salt, passwords.stamp(), user, password));
    Instant now = clock.instant();
    synchronized (right) {
      right.values().removeIf(time -> time.plus(REMEMBERED).isBefore(now));
      if (right.containsKey(hash)) {
        return true;
      }
    }
    if (!mayTry() || passwords.check(user, password) == null) {
      attempts.failed();
      return false;
    }
    synchronized (right) {
      if (right.size() >= REMEMBERED_MAX) {
        right.remove(right.keySet().iterator().next());
      }
      right.put(hash, now);
    }
    return true;
  }

  /**
   * Returns the session with a secret; null if there is none. An open console needs none.
   *
   * @param secret null if the request has none
   */
  public @Nullable Session session(@Nullable String secret) {
    return open ? new Session("open", Role.ADMIN, Instant.MAX) : sessions.use(secret);
  }

  /** Begins a session for tests and for commands that have already proved who they are. */
  public String begin(String user, Role role) {
    return sessions.begin(user, role);
  }

  /** Ends all sessions of a user. */
  public void end(String user) {
    sessions.end(user);
  }
}
