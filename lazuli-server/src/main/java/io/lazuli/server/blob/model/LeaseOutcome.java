package io.lazuli.server.blob.model;

import io.lazuli.server.error.ServiceError;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a lease action.
 *
 * @param lease the lease after the action; the old lease if the action was refused
 * @param refusal null if the action took place
 * @param secondsLeft the seconds until the lease is broken; only after a break
 */
public record LeaseOutcome(Lease lease, @Nullable ServiceError refusal, int secondsLeft) {
  static LeaseOutcome of(Lease lease) {
    return new LeaseOutcome(lease, null, 0);
  }
}
