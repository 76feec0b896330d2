package io.lazuli.server.blob.model;

import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Ticks;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a blob or container. It is a value, and every rule is a function of the lease and
 * the time (blob-rest 5). Nothing has to happen when a lease ends: its state follows from the
 * clock.
 *
 * <p>A lease that has ended keeps its id until a write without a lease id makes it {@link #NONE}.
 * Until then its owner can renew it, or is told by an error that it was lost. After such a write a
 * renewal fails, because the id is no longer known.
 *
 * @param id null if there is no lease
 * @param breaking true from the break operation on, even while the break period runs
 * @param durationSeconds the duration when it was acquired: {@link #INFINITE} or 15 to 60
 * @param endTicks the time when the lease expires or the break period is over; not used while the
 *     lease is infinite
 */
public record Lease(@Nullable UUID id, boolean breaking, int durationSeconds, long endTicks) {
  public static final int INFINITE = -1;

  /**
   * The end of a lease that is broken without a break period. A request that read the clock just
   * before the break may be carried out after it, and must find the lease broken.
   */
  private static final long ENDED = 0;

  /** A resource that was never leased, or whose lease was released or forgotten. */
  public static final Lease NONE = new Lease(null, false, 0, 0);

  public LeaseState state(long now) {
    if (id == null) {
      return LeaseState.AVAILABLE;
    } else if (breaking) {
      return now < endTicks ? LeaseState.BREAKING : LeaseState.BROKEN;
    }
    return isInfinite() || now < endTicks ? LeaseState.LEASED : LeaseState.EXPIRED;
  }

  /** Returns the value of {@code x-ms-lease-duration}; null unless the resource is leased. */
  public @Nullable String durationText(long now) {
    if (state(now) != LeaseState.LEASED) {
      return null;
    }
    return isInfinite() ? "infinite" : "fixed";
  }

  public boolean isInfinite() {
    return durationSeconds == INFINITE;
  }

  /**
   * Returns why an operation that changes or deletes the resource is refused; null if it is
   * allowed.
   */
  public @Nullable ServiceError writeRefusal(
      LeasedResource resource, @Nullable UUID given, long now) {
    boolean missing = given == null && state(now).isLocked();
    return missing ? resource.idMissing() : readRefusal(resource, given, now);
  }

  /**
   * Returns why an operation that needs no lease is refused, because it gave a wrong lease id; null
   * if it is allowed.
   */
  public @Nullable ServiceError readRefusal(
      LeasedResource resource, @Nullable UUID given, long now) {
    if (given == null) {
      return null;
    } else if (id == null) {
      return resource.absent();
    } else if (!given.equals(id)) {
      return resource.mismatch();
    }
    return state(now).isLocked() ? null : resource.lost();
  }

  /** Returns the lease after an allowed write: a lease that had ended is forgotten. */
  public Lease afterWrite(long now) {
    return state(now).isLocked() ? this : NONE;
  }

  /** Carries out an action, or returns why it is refused. */
  public LeaseOutcome apply(LeaseAction action, LeasedResource resource, long now) {
    if (action instanceof LeaseAction.Acquire acquire) {
      return acquire(acquire, now);
    } else if (action instanceof LeaseAction.Renew renew) {
      return renew(renew.id(), resource, now);
    } else if (action instanceof LeaseAction.Change change) {
      return change(change, resource, now);
    } else if (action instanceof LeaseAction.Release release) {
      return release.id().equals(id) ? LeaseOutcome.of(NONE) : refused(resource.actionMismatch());
    }
    return breakLease((LeaseAction.Break) action, resource, now);
  }

  private LeaseOutcome acquire(LeaseAction.Acquire acquire, long now) {
    LeaseState state = state(now);
    boolean same = acquire.id().equals(id);
    if (state == LeaseState.BREAKING && same) {
      return refused(BlobErrors.LEASE_IS_BREAKING_NO_ACQUIRE);
    } else if (state.isLocked() && !same) {
      return refused(BlobErrors.LEASE_ALREADY_PRESENT);
    }
    return LeaseOutcome.of(held(acquire.id(), acquire.durationSeconds(), now));
  }

  private LeaseOutcome renew(UUID given, LeasedResource resource, long now) {
    if (!given.equals(id)) {
      return refused(resource.actionMismatch());
    } else if (breaking) {
      return refused(BlobErrors.LEASE_IS_BROKEN_NO_RENEW);
    }
    return LeaseOutcome.of(held(given, durationSeconds, now));
  }

  /**
   * Changes the id. A change to the current id is allowed: it is the retry of a change whose
   * response was lost.
   */
  private LeaseOutcome change(LeaseAction.Change change, LeasedResource resource, long now) {
    LeaseState state = state(now);
    if (!state.isLocked()) {
      return refused(resource.actionWithoutLease());
    } else if (!change.id().equals(id) && !change.proposed().equals(id)) {
      return refused(resource.actionMismatch());
    } else if (state == LeaseState.BREAKING) {
      return refused(BlobErrors.LEASE_IS_BREAKING_NO_CHANGE);
    }
    return LeaseOutcome.of(new Lease(change.proposed(), false, durationSeconds, endTicks));
  }

  private LeaseOutcome breakLease(LeaseAction.Break action, LeasedResource resource, long now) {
    LeaseState state = state(now);
    if (state == LeaseState.AVAILABLE) {
      return refused(resource.actionWithoutLease());
    }
    long end = breakEnd(action.periodSeconds(), state, now);
    long left = (Math.max(0, end - now) + Ticks.PER_SECOND - 1) / Ticks.PER_SECOND;
    return new LeaseOutcome(new Lease(id, true, durationSeconds, end), null, (int) left);
  }

  private long breakEnd(@Nullable Integer periodSeconds, LeaseState state, long now) {
    boolean ends = state == LeaseState.BREAKING || !isInfinite();
    boolean atOnce = periodSeconds == null ? !ends : periodSeconds == 0;
    if (atOnce || !state.isLocked()) {
      return ENDED;
    } else if (periodSeconds == null) {
      return endTicks;
    }
    long end = now + periodSeconds * Ticks.PER_SECOND;
    return ends ? Math.min(end, endTicks) : end;
  }

  private LeaseOutcome refused(ServiceError refusal) {
    return new LeaseOutcome(this, refusal, 0);
  }

  private static Lease held(UUID id, int durationSeconds, long now) {
    long end = durationSeconds == INFINITE ? 0 : now + durationSeconds * Ticks.PER_SECOND;
    return new Lease(id, false, durationSeconds, end);
  }
}
