package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.TestAccount;
import io.lazuli.client.fault.ClientDied;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.Cut;
import io.lazuli.client.fault.Cuts;
import io.lazuli.client.fault.TestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A workload in a world of its own, with two actors that work at the same time until each stops at
 * a request. The seed decides what they do and where they stop. They also disturb each other, in
 * ways that the seed does not decide.
 */
record HaltedRun(Kind kind, String workload, long seed) {
  static final int ACTORS = 2;

  /** What stops. */
  enum Kind {
    /** A process halts itself. */
    PROCESS,
    /** A client of the process of the tests is cut: all its later requests fail. */
    CLIENT
  }

  private static final int REQUESTS_MAX = 40;
  private static final int MINUTES_MAX = 5;

  /** Reads {@code KIND:workload:seed}. */
  static HaltedRun parse(String text) {
    String[] parts = text.split(":", -1);
    return new HaltedRun(Kind.valueOf(parts[0]), parts[1], Long.parseLong(parts[2]));
  }

  @Override
  public String toString() {
    return kind + ":" + workload + ":" + seed;
  }

  /** Returns where one actor stops. */
  private Cut cut(int actor) {
    Random random = new Random(seed + 31L * actor);
    int request = 1 + random.nextInt(REQUESTS_MAX);
    return random.nextBoolean() ? Cut.before(request) : Cut.after(request);
  }

  /** Returns a new world, in which nothing exists yet. */
  World world(Path parent) {
    return new World(TestAccount.uniqueName("halt"), folder(parent));
  }

  private Path folder(Path parent) {
    try {
      return Files.createDirectory(parent.resolve(kind + workload + seed));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fills the world and lets the actors work until all have stopped. */
  void act(World world, TestClient live, String connectionString) {
    world.create(live);
    Workloads.named(workload, world).prepare(live);
    switch (kind) {
      case PROCESS -> halt(world, connectionString);
      case CLIENT -> Concurrently.run(ACTORS, actor -> cut(world, actor, connectionString));
    }
  }

  private void cut(World world, int number, String connectionString) {
    TestClient client = TestClient.of(connectionString, Cuts.counting(cut(number)));
    Random random = new Random(seed + number);
    try {
      Workload.Actor actor =
          Workloads.named(workload, world).actor(client, new Journal(world.journal(number)));
      for (int i = 0; i < HaltedProgram.ACTIONS_MAX; i++) {
        actor.act(random);
      }
    } catch (RuntimeException failure) {
      if (!ClientDied.caused(failure)) {
        throw failure;
      }
      return;
    }
    throw new AssertionError("the client did not get as far as the cut");
  }

  private void halt(World world, String connectionString) {
    List<Process> processes =
        IntStream.range(0, ACTORS)
            .mapToObj(process -> started(world, process, connectionString))
            .toList();
    for (int i = 0; i < ACTORS; i++) {
      assertThat(exitCode(processes.get(i)))
          .as("the exit code of process %d: %s", i, output(world, i))
          .isEqualTo(HaltedProgram.HALTED);
    }
  }

  private Process started(World world, int process, String connectionString) {
    Cut cut = cut(process);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.addAll(List.of("-Xmx128m", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(HaltedProgram.class.getName(), connectionString, workload));
    command.addAll(List.of(world.name(), world.folder().toString(), String.valueOf(process)));
    command.addAll(List.of(String.valueOf(seed + process), String.valueOf(cut.request())));
    command.add(cut.moment().name());
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(outputFile(world, process).toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int exitCode(Process process) {
    try {
      if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("a process did not halt in " + MINUTES_MAX + " minutes");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Path outputFile(World world, int process) {
    return world.folder().resolve("output" + process);
  }

  private static String output(World world, int process) {
    try {
      return Files.readString(outputFile(world, process));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /**
   * Starts workers and clients again, and checks the state.
   *
   * @return false if the run proves nothing, because the machine is too busy
   */
  boolean check(World world, TestClient live) {
    History history = history(world);
    if (history.isVoid()) {
      return false;
    }
    Workload checked = Workloads.named(workload, world);
    checked.settle(live);
    checked.check(live, history);
    return true;
  }

  private static History history(World world) {
    return new History(
        IntStream.range(0, ACTORS)
            .mapToObj(process -> new Journal(world.journal(process)).attempts())
            .toList());
  }

  /** Describes the actors: where they stopped, and their attempts. */
  String described(World world) {
    StringBuilder text = new StringBuilder("-Dhalt.replay=" + this);
    for (int i = 0; i < ACTORS; i++) {
      List<Journal.Attempt> attempts = history(world).processes().get(i);
      text.append(System.lineSeparator())
          .append("actor ")
          .append(i)
          .append(" stopped ")
          .append(cut(i).moment())
          .append(" request ")
          .append(cut(i).request())
          .append(" after ")
          .append(attempts);
    }
    return text.toString();
  }
}
