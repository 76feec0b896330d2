package io.lazuli.server.blob.protocol;

import org.jspecify.annotations.Nullable;

/**
 * The lease of a blob or container by the tables of blob-rest 5, written independently of the
 * server's code. Mutable; times are milliseconds of the clock under test.
 */
final class LeaseModel {
  static final long FOREVER = Long.MAX_VALUE;

  /** The columns of the table in blob-rest 5.1. */
  enum State {
    AVAILABLE,
    LEASED,
    BREAKING,
    BROKEN,
    EXPIRED
  }

  private final String resource;
  private @Nullable String id;
  private boolean broken;
  private long durationMillis;
  private long end;

  /**
   * @param resource {@code Blob} or {@code Container}, as error codes name it
   */
  LeaseModel(String resource) {
    this.resource = resource;
  }

  State state(long now) {
    if (id == null) {
      return State.AVAILABLE;
    } else if (broken) {
      return now < end ? State.BREAKING : State.BROKEN;
    }
    return now < end ? State.LEASED : State.EXPIRED;
  }

  boolean isLocked(long now) {
    return state(now) == State.LEASED || state(now) == State.BREAKING;
  }

  boolean isForATime() {
    return durationMillis != FOREVER;
  }

  @Nullable String id() {
    return id;
  }

  /** The value of {@code x-ms-lease-duration}. */
  @Nullable String duration(long now) {
    if (state(now) != State.LEASED) {
      return null;
    }
    return isForATime() ? "fixed" : "infinite";
  }

  void forget() {
    id = null;
    broken = false;
  }

  /** Applies the last row of blob-rest 5.2. */
  void written(long now) {
    if (!isLocked(now)) {
      forget();
    }
  }

  /** Returns why another operation is refused (blob-rest 5.2); null if it is not. */
  @Nullable Expected refusal(@Nullable String given, boolean needed, long now) {
    if (given == null) {
      return needed && isLocked(now) ? Expected.of(412, "LeaseIdMissing") : null;
    } else if (id == null) {
      return Expected.of(412, "LeaseNotPresentWith" + resource + "Operation");
    } else if (!id.equals(given)) {
      return Expected.of(412, "LeaseIdMismatchWith" + resource + "Operation");
    }
    return isLocked(now) ? null : Expected.of(412, "LeaseLost");
  }

  /**
   * @param proposed null if the server chooses the id
   */
  Expected acquire(@Nullable String proposed, long millis, long now) {
    boolean same = proposed != null && proposed.equals(id);
    if (state(now) == State.BREAKING && same) {
      return Expected.of(409, "LeaseIsBreakingAndCannotBeAcquired");
    } else if (isLocked(now) && !same) {
      return Expected.of(409, "LeaseAlreadyPresent");
    }
    durationMillis = millis;
    hold(proposed, now);
    return Expected.of(201, null);
  }

  /** Sets the id that the server chose. */
  void made(String newId) {
    id = newId;
  }

  Expected renew(String given, long now) {
    if (!given.equals(id)) {
      return mismatch();
    } else if (broken) {
      return Expected.of(409, "LeaseIsBrokenAndCannotBeRenewed");
    }
    hold(id, now);
    return Expected.of(200, null);
  }

  Expected change(String given, String proposed, long now) {
    boolean known = given.equals(id);
    if (!isLocked(now)) {
      return Expected.of(409, known || id == null ? "LeaseNotPresentWithLeaseOperation" : null);
    } else if (!known && !proposed.equals(id)) {
      return mismatch();
    } else if (state(now) == State.BREAKING) {
      return Expected.of(409, known ? "LeaseIsBreakingAndCannotBeChanged" : null);
    }
    id = proposed;
    return Expected.of(200, null);
  }

  Expected release(String given) {
    if (!given.equals(id)) {
      return mismatch();
    }
    forget();
    return Expected.of(200, null);
  }

  /**
   * @param period seconds; null if the request has none
   */
  Expected breakIt(@Nullable Integer period, long now) {
    if (id == null) {
      return Expected.of(409, "LeaseNotPresentWithLeaseOperation");
    }
    long rest = isLocked(now) ? end - now : 0;
    if (isLocked(now) && end == FOREVER) {
      rest = period == null ? 0 : period * 1_000L;
    } else if (period != null) {
      rest = Math.min(rest, period * 1_000L);
    }
    broken = true;
    end = now + rest;
    return Expected.of(202, null);
  }

  /** Returns the seconds until a break is complete, as {@code x-ms-lease-time} shows them. */
  String secondsLeft(long now) {
    return String.valueOf((end - now + 999) / 1_000);
  }

  private void hold(@Nullable String newId, long now) {
    id = newId;
    broken = false;
    end = isForATime() ? now + durationMillis : FOREVER;
  }

  private static Expected mismatch() {
    return Expected.of(409, "LeaseIdMismatchWithLeaseOperation");
  }
}
