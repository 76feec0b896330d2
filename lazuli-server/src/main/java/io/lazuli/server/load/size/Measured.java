package io.lazuli.server.load.size;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The sizes of an account's tables, queues and containers.
 *
 * @param at the end of the measurement
 * @param took its time; data that changed during this time may be counted or not
 */
public record Measured(Instant at, Duration took, List<SpaceSize> sizes) {
  /** The tables, queues and containers that are kept apart. */
  public static final int SPACES_MAX = 256;

  public Measured {
    sizes = List.copyOf(sizes);
  }
}
