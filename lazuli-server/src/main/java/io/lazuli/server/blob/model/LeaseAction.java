package io.lazuli.server.blob.model;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The action of a lease operation, with its arguments. */
public sealed interface LeaseAction {
  /**
   * Takes the lease, or takes it again.
   *
   * @param id proposed by the client, or made for it
   * @param durationSeconds 15 to 60, or {@link Lease#INFINITE}
   */
  record Acquire(UUID id, int durationSeconds) implements LeaseAction {}

  /** Restarts the clock. */
  record Renew(UUID id) implements LeaseAction {}

  /** Gives the lease another id. */
  record Change(UUID id, UUID proposed) implements LeaseAction {}

  /** Gives the lease back. */
  record Release(UUID id) implements LeaseAction {}

  /**
   * Ends the lease without its id.
   *
   * @param periodSeconds 0 to 60; null for what is left of a fixed lease, nothing of an infinite
   */
  record Break(@Nullable Integer periodSeconds) implements LeaseAction {}
}
