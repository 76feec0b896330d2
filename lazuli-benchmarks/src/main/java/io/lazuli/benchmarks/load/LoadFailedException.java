package io.lazuli.benchmarks.load;

/** A server gave a wrong response, which makes the figures worthless. */
public final class LoadFailedException extends RuntimeException {
  public LoadFailedException(String message) {
    super(message);
  }
}
