package io.lazuli.client.pattern.sas;

import java.time.Instant;

/**
 * A shared access signature and its expiry, as a broker returns it to a client. Immutable. Anyone
 * who has the signature can use it, so {@code toString} does not show it.
 *
 * @param signature the query string, without a question mark
 * @param expiresAt from this time on the service rejects it
 */
public record SasToken(String signature, Instant expiresAt) {
  @Override
  public String toString() {
    return "a token until " + expiresAt;
  }
}
