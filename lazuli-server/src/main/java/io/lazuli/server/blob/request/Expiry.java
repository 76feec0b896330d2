package io.lazuli.server.blob.request;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Ticks;
import java.time.Instant;

/** When a blob expires (blob-features 4.3). */
public sealed interface Expiry {
  /** The last time that Azure can express. */
  long LAST_TICKS = Ticks.of(Instant.parse("9999-12-31T23:59:59Z"));

  /** The blob does not expire. */
  record Never() implements Expiry {}

  /** The blob expires at a time. */
  record At(long ticks) implements Expiry {}

  /** The blob expires some time after the request. */
  record AfterNow(long millis) implements Expiry {}

  /** The blob expires some time after it was created. */
  record AfterCreation(long millis) implements Expiry {}

  /**
   * Returns the time at which a blob expires; 0 for never.
   *
   * @throws ServiceException if the time is in the past
   */
  default long ticks(long creationTicks, long now) {
    if (this instanceof Never) {
      return 0;
    }
    long ticks;
    if (this instanceof AfterNow after) {
      ticks = plus(now, after.millis);
    } else if (this instanceof AfterCreation after) {
      ticks = plus(creationTicks, after.millis);
    } else {
      ticks = ((At) this).ticks;
    }
    if (ticks <= now) {
      throw CommonErrors.INVALID_HEADER_VALUE.exception().with("HeaderName", "x-ms-expiry-time");
    }
    return ticks;
  }

  private static long plus(long ticks, long millis) {
    long perMilli = Ticks.PER_SECOND / 1_000;
    return millis > (LAST_TICKS - ticks) / perMilli ? LAST_TICKS : ticks + millis * perMilli;
  }
}
