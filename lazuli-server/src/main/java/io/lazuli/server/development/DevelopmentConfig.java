package io.lazuli.server.development;

import io.lazuli.server.role.Principal;
import io.lazuli.server.role.Role;
import io.lazuli.server.role.RoleAssignment;
import io.lazuli.server.role.Scope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the development identity.
 *
 * @param port its port on loopback; 0 for any free port
 * @param more the identities in addition to {@link DevelopmentIdentity#DEVELOPER}
 */
public record DevelopmentConfig(boolean on, int port, List<DevelopmentIdentity> more) {
  /** The most identities in addition to the developer. */
  static final int IDENTITIES_MAX = 32;

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  public static final DevelopmentConfig OFF = new DevelopmentConfig(false, 10011, List.of());

  public DevelopmentConfig {
    more = List.copyOf(more);
  }

  public DevelopmentConfig withOn(boolean wanted) {
    return new DevelopmentConfig(wanted, port, more);
  }

  public DevelopmentConfig withPort(int number) {
    return new DevelopmentConfig(on, number, more);
  }

  public DevelopmentConfig withMore(List<DevelopmentIdentity> identities) {
    return new DevelopmentConfig(on, port, identities);
  }

  /**
   * Returns one line about settings that contradict each other; empty if there are none.
   *
   * @param hasIssuers true if the server accepts the tokens of others
   * @param loopback true if only this machine can reach the server
   */
  public String contradiction(boolean hasIssuers, boolean loopback) {
    if (!on) {
      return more.isEmpty() ? "" : "dev-identities needs dev-identity";
    } else if (!loopback) {
      return "dev-identity is for loopback only: everybody who knows its secret gets tokens";
    } else if (hasIssuers) {
      return "dev-identity excludes oauth, oidc-issuer and oidc-jwks";
    }
    return "";
  }

  /** Returns all identities. */
  List<DevelopmentIdentity> identities() {
    return Stream.concat(Stream.of(DevelopmentIdentity.DEVELOPER), more.stream()).toList();
  }

  /** Returns what the identities may do on these accounts and on the server. */
  public List<RoleAssignment> assignments(Collection<String> accounts) {
    List<Scope> scopes = accounts.stream().map(account -> new Scope(account, "", "")).toList();
    List<RoleAssignment> all = new ArrayList<>();
    for (DevelopmentIdentity identity : on ? identities() : List.<DevelopmentIdentity>of()) {
      Principal principal = new Principal(Principal.Kind.OID, identity.id().toString());
      for (Role role : identity.roles()) {
        for (Scope scope : role.isOfServer() ? List.of(Scope.SERVER) : scopes) {
          all.add(new RoleAssignment(role, scope, RoleAssignment.ANY_ISSUER, principal));
        }
      }
    }
    return all;
  }

  /** Parses {@code NAME[=ROLE[+ROLE]],…}; returns null if it is invalid. */
  public static @Nullable List<DevelopmentIdentity> parseIdentities(String text) {
    List<DevelopmentIdentity> all = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      DevelopmentIdentity identity = parseIdentity(part.strip());
      if (identity == null || isTaken(identity, all)) {
        return null;
      }
      all.add(identity);
    }
    return all.size() > IDENTITIES_MAX ? null : all;
  }

  private static boolean isTaken(DevelopmentIdentity identity, List<DevelopmentIdentity> all) {
    return Stream.concat(Stream.of(DevelopmentIdentity.DEVELOPER), all.stream())
        .anyMatch(other -> other.isNamed(identity.name()));
  }

  private static @Nullable DevelopmentIdentity parseIdentity(String text) {
    int sign = text.indexOf('=');
    String name = sign < 0 ? text : text.substring(0, sign).strip();
    List<Role> roles = new ArrayList<>();
    if (sign >= 0) {
      for (String word : text.substring(sign + 1).split("\\+", -1)) {
        Role.named(word).ifPresent(roles::add);
      }
      if (roles.size() != text.substring(sign + 1).split("\\+", -1).length) {
        return null;
      }
    }
    return NAME.matcher(name).matches() ? DevelopmentIdentity.named(name, roles) : null;
  }

  public static String identitiesText(List<DevelopmentIdentity> identities) {
    return identities.stream()
        .map(
            one ->
                one.roles().isEmpty()
                    ? one.name()
                    : one.name()
                        + "="
                        + one.roles().stream().map(Role::word).collect(Collectors.joining("+")))
        .collect(Collectors.joining(","));
  }
}
