package io.lazuli.server.role;

import io.lazuli.server.access.Identity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who has a role: everybody whose token has a certain value.
 *
 * @param value the value exactly as the issuer writes it
 */
public record Principal(Kind kind, String value) {
  /** The part of a token that names a principal. */
  public enum Kind {
    /** The object id ({@code oid}) of a user or service principal. */
    OID,
    /** The application ({@code appid} or {@code azp}). */
    APP,
    /** The subject ({@code sub}). */
    SUB,
    /** A group that the token lists. */
    GROUP,
    /** An application role that the token lists. */
    ROLE;

    /** Returns the word for the roles file and the command line. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Kind> of(String word) {
      return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }
  }

  /** Returns all principals that a token names. */
  static List<Principal> of(Identity identity) {
    List<Principal> named = new ArrayList<>();
    named.add(new Principal(Kind.SUB, identity.subject()));
    add(named, Kind.OID, identity.object());
    add(named, Kind.APP, identity.application());
    identity.groups().forEach(group -> add(named, Kind.GROUP, group));
    identity.appRoles().forEach(role -> add(named, Kind.ROLE, role));
    return named;
  }

  private static void add(List<Principal> named, Kind kind, @Nullable String value) {
    if (value != null) {
      named.add(new Principal(kind, value));
    }
  }
}
