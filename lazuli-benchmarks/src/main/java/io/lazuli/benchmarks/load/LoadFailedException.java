package io.lazuli.benchmarks.load;

/** A server answered with something that makes the figures worthless. */
public final class LoadFailedException extends RuntimeException {
  public LoadFailedException(String message) {
    super(message);
  }
}
