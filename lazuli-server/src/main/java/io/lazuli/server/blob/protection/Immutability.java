package io.lazuli.server.blob.protection;

import org.jspecify.annotations.Nullable;

/**
 * The protection that a request gives the state of a blob that it creates (blob-features 6.1).
 *
 * @param policy null for none
 */
public record Immutability(@Nullable ImmutabilityPolicy policy, boolean legalHold) {
  public static final Immutability NONE = new Immutability(null, false);

  public boolean protects() {
    return policy != null || legalHold;
  }
}
