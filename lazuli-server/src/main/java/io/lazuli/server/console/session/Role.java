package io.lazuli.server.console.session;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a user of the console may do. Each role includes those before it. */
public enum Role {
  /** Sees data. */
  READER,
  /** Changes data. */
  EDITOR,
  /** Works on queues, leases and jobs. */
  OPERATOR,
  /** Gives access to others. */
  ADMIN;

  /** Returns whether this role may do what the other one may. */
  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the role with a name; null if there is none. */
  public static @Nullable Role find(String text) {
    for (Role role : values()) {
      if (role.text().equals(text)) {
        return role;
      }
    }
    return null;
  }
}
