package io.lazuli.client.halt;

import io.lazuli.client.fault.Cut;
import io.lazuli.client.fault.Cuts;
import io.lazuli.client.fault.TestClient;
import java.nio.file.Path;
import java.util.Random;

/**
 * A process that uses a pattern until it halts itself before or after one of its requests, without
 * any shutdown: no finally block, no shutdown hook and no close method runs.
 */
final class HaltedProgram {
  /** The exit code of a process that halted as planned. */
  static final int HALTED = 77;

  /** The exit code of a process that did not get as far as the request. */
  static final int TOO_FEW_REQUESTS = 78;

  private static final int FAILED = 1;
  static final int ACTIONS_MAX = 2_000;

  private HaltedProgram() {}

  /**
   * Runs one process.
   *
   * @param arguments connection string, workload, name and folder of the world, number of the
   *     process, seed, number of the request, moment
   */
  public static void main(String[] arguments) {
    try {
      act(arguments);
      Runtime.getRuntime().halt(TOO_FEW_REQUESTS);
    } catch (RuntimeException | Error failure) {
      failure.printStackTrace();
      Runtime.getRuntime().halt(FAILED);
    }
  }

  private static void act(String[] arguments) {
    World world = new World(arguments[2], Path.of(arguments[3]));
    Journal journal = new Journal(world.journal(Integer.parseInt(arguments[4])));
    Cut cut = new Cut(Integer.parseInt(arguments[6]), Cut.Moment.valueOf(arguments[7]));
    TestClient client = TestClient.of(arguments[0], Cuts.ending(cut, HaltedProgram::halt));
    Random random = new Random(Long.parseLong(arguments[5]));
    Workload.Actor actor = Workloads.named(arguments[1], world).actor(client, journal);
    for (int i = 0; i < ACTIONS_MAX; i++) {
      actor.act(random);
    }
  }

  private static RuntimeException halt() {
    Runtime.getRuntime().halt(HALTED);
    return new IllegalStateException("a halted process continued");
  }
}
