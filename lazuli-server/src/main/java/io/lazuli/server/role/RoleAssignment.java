package io.lazuli.server.role;

/**
 * One line of the roles file: a principal has a role in a scope.
 *
 * @param issuer the issuer whose tokens count; {@link #ANY_ISSUER} for all that the server trusts
 */
public record RoleAssignment(Role role, Scope scope, String issuer, Principal principal) {
  public static final String ANY_ISSUER = "*";

  /** Returns role, scope, issuer and principal, as in the roles file. */
  public String text() {
    return String.join(
        " ", role.word(), scope.toString(), issuer, principal.kind().word(), principal.value());
  }

  boolean isFrom(String tokenIssuer) {
    return issuer.equals(ANY_ISSUER) || issuer.equals(tokenIssuer);
  }
}
