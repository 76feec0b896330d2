package io.lazuli.client.pattern.sas;

import java.time.Instant;

/**
 * A shared access signature and when it ends, as a broker hands it to a client. Immutable. Who has
 * it may do what it allows: its text is not shown.
 *
 * @param signature the query string, without a question mark
 * @param expiresAt from this time on the service refuses it
 */
public record SasToken(String signature, Instant expiresAt) {
  @Override
  public String toString() {
    return "a token until " + expiresAt;
  }
}
