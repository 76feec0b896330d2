package io.lazuli.server.access;

import io.lazuli.server.event.Subject;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who sent a request, according to a verified token. Each value is exactly as the issuer wrote it.
 *
 * @param issuer the issuer of the token
 * @param tenant the tenant ({@code tid}); null if the issuer has no tenants
 * @param object the object id ({@code oid}); null if the issuer has none
 * @param application the application ({@code appid} or {@code azp}); null if there is none
 * @param subject the subject ({@code sub})
 * @param groups the groups of the subject
 * @param appRoles the application roles that the issuer granted
 */
public record Identity(
    String issuer,
    @Nullable String tenant,
    @Nullable String object,
    @Nullable String application,
    String subject,
    Set<String> groups,
    Set<String> appRoles) {
  public Identity {
    groups = Set.copyOf(groups);
    appRoles = Set.copyOf(appRoles);
  }

  /** Returns the identity as the sender of a request, for the audit. */
  public Subject subject(Subject.Kind kind) {
    return new Subject(kind, 0, null, issuer, object, application, subject);
  }

  /** Returns the most specific name of the principal: the object id, or else the subject. */
  public String principal() {
    return object == null ? subject : object;
  }
}
