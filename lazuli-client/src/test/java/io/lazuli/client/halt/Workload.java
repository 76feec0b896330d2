package io.lazuli.client.halt;

import io.lazuli.client.fault.TestClient;
import java.util.Random;

/**
 * Random use of one pattern in a {@link World}, and what must hold after the processes that used it
 * were halted. The processes of a world run at the same time, so they also disturb each other.
 */
interface Workload {
  /** A process: does one random thing at a time, until it is halted. */
  @FunctionalInterface
  interface Actor {
    void act(Random random);
  }

  /** Writes what the processes expect to find. */
  default void prepare(TestClient live) {}

  /**
   * Creates a process.
   *
   * @param client halts the process at one of its requests
   * @param journal records the attempts that {@link #check} must know
   */
  Actor actor(TestClient client, Journal journal);

  /** Finishes what halted processes have left, as workers that are started again do. */
  default void settle(TestClient live) {}

  /** Fails if the state is not the one that the pattern guarantees. */
  void check(TestClient live, History history);
}
