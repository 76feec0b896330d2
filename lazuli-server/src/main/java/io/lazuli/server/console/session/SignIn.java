package io.lazuli.server.console.session;

import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Signs users in, by a one-time link or a password, and knows their sessions. */
public final class SignIn {
  /** The user of a one-time link. */
  public static final String LINK_USER = "link";

  private final boolean open;
  private final SignInLinks links;
  private final SignInAttempts attempts;
  private final Sessions sessions;
  private final Passwords passwords;

  /**
   * @param open true if everybody is an administrator without signing in
   */
  public SignIn(boolean open, Passwords passwords, Clock clock) {
    this.open = open;
    this.passwords = passwords;
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
