package io.lazuli.server.delegation;

import io.lazuli.server.access.Identity;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.protocol.ApiVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a user delegation key. The key itself is not stored: it is computed from these
 * fields and a secret of the account. No two lists of fields give the same text, because each field
 * has a form of its own.
 *
 * @param object the object id of the caller who asked for the key
 * @param tenant the tenant of that caller
 * @param service the first letter of the service: {@code b} or {@code q}
 * @param version the version of the request for the key
 * @param boundTenant the tenant of the users that signatures may be bound to; null for none
 */
public record DelegationKey(
    UUID object,
    UUID tenant,
    Instant start,
    Instant expiry,
    char service,
    String version,
    @Nullable UUID boundTenant) {
  public DelegationKey {
    start = start.truncatedTo(ChronoUnit.SECONDS);
    expiry = expiry.truncatedTo(ChronoUnit.SECONDS);
    if (!ApiVersion.isWellFormed(version)) {
      throw new IllegalArgumentException("not a version: " + version);
    }
  }

  /** Returns the object id of an identity; another stable id if the issuer's one is not a UUID. */
  static UUID objectOf(Identity identity) {
    return uuid(identity.principal(), identity.issuer() + "\n" + identity.principal());
  }

  /**
   * Returns the tenant of an identity; a stable id of the issuer if the name of the issuer does not
   * contain the tenant. An issuer could otherwise write the tenant of another issuer into its
   * tokens, and its users would share keys with the users there.
   */
  public static UUID tenantOf(Identity identity) {
    String tenant = identity.tenant();
    boolean ofIssuer = tenant != null && List.of(identity.issuer().split("/", -1)).contains(tenant);
    return uuid(ofIssuer ? tenant : null, identity.issuer());
  }

  private static UUID uuid(@Nullable String text, String otherwise) {
    UUID parsed = text == null ? null : parse(text);
    return parsed == null
        ? UUID.nameUUIDFromBytes(otherwise.getBytes(StandardCharsets.UTF_8))
        : parsed;
  }

  /** Parses a UUID in its usual form; returns null if the text has another form. */
  public static @Nullable UUID parse(String text) {
    try {
      UUID parsed = UUID.fromString(text);
      return parsed.toString().equalsIgnoreCase(text) ? parsed : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Returns the key: 32 bytes. */
  byte[] value(byte[] secret) {
    String text =
        String.join(
            "\n",
            "udk",
            object.toString(),
            tenant.toString(),
            start.toString(),
            expiry.toString(),
            String.valueOf(service),
            version,
            boundTenant == null ? "" : boundTenant.toString());
    return new AccountKey(Base64.getEncoder().encodeToString(secret))
        .sign(text.getBytes(StandardCharsets.UTF_8));
  }
}
