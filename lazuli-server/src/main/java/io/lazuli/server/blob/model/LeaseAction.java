package io.lazuli.server.blob.model;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The action of a lease operation, with its arguments. */
public sealed interface LeaseAction {
  /**
   * Acquires the lease, or acquires it again.
   *
   * @param id the id that the client proposed, or a new one
   * @param durationSeconds 15 to 60, or {@link Lease#INFINITE}
   */
  record Acquire(UUID id, int durationSeconds) implements LeaseAction {}

  /** Restarts the duration of the lease. */
  record Renew(UUID id) implements LeaseAction {}

  /** Gives the lease another id. */
  record Change(UUID id, UUID proposed) implements LeaseAction {}

  /** Releases the lease. */
  record Release(UUID id) implements LeaseAction {}

  /**
   * Breaks the lease; the lease id is not needed.
   *
   * @param periodSeconds 0 to 60; null for the rest of a fixed lease, or for 0 seconds of an
   *     infinite one
   */
  record Break(@Nullable Integer periodSeconds) implements LeaseAction {}
}
