package io.lazuli.server.job;

/**
 * How far a job is.
 *
 * @param unit {@code entities} or {@code bytes}
 * @param of how much there is in all; -1 if that is not known
 * @param exact whether {@code of} was counted
 * @param perSecond how much was done in each of the last seconds
 */
public record JobProgress(String unit, long done, long of, boolean exact, long perSecond) {
  static final JobProgress NONE = new JobProgress("entities", 0, -1, false, 0);

  /** Returns the seconds that are left; -1 if they are not known. */
  public long secondsLeft() {
    return of < 0 || perSecond <= 0 ? -1 : Math.max(0, of - done) / perSecond;
  }
}
