package io.lazuli.benchmarks.load;

import org.HdrHistogram.Histogram;

/**
 * What one load did.
 *
 * @param requests answers that arrived, errors included
 * @param errors answers that their script did not accept
 * @param firstError the first of them, for people; empty without any
 * @param latency microseconds from the first byte written to the last byte read
 * @param serverCpuNanos CPU time the server used meanwhile
 * @param driverCpuNanos CPU time the driving thread used meanwhile
 */
public record LoadResult(
    long requests,
    long errors,
    String firstError,
    long elapsedNanos,
    long serverCpuNanos,
    long driverCpuNanos,
    Histogram latency) {

  /** This result, if every answer was accepted. */
  public LoadResult requireNoErrors() {
    if (errors > 0) {
      throw new LoadFailedException(
          errors + " of " + requests + " answers were errors, the first: " + firstError);
    }
    return this;
  }
}
