package io.lazuli.benchmarks.load;

import org.HdrHistogram.Histogram;

/**
 * The result of one load.
 *
 * @param requests the number of responses that arrived, including errors
 * @param errors the number of responses that their script did not accept
 * @param firstError the text of the first error; empty without errors
 * @param latency microseconds from the first byte written to the last byte read
 * @param serverCpuNanos CPU time that the server used during the load
 * @param driverCpuNanos CPU time that the driving thread used during the load
 */
public record LoadResult(
    long requests,
    long errors,
    String firstError,
    long elapsedNanos,
    long serverCpuNanos,
    long driverCpuNanos,
    Histogram latency) {

  /** Returns this result if every response was accepted; otherwise throws. */
  public LoadResult requireNoErrors() {
    if (errors > 0) {
      throw new LoadFailedException(
          errors + " of " + requests + " responses were errors, the first: " + firstError);
    }
    return this;
  }
}
