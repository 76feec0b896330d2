package io.lazuli.conformance.siege;

import io.lazuli.conformance.support.MemoryWatch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Runs one attack after another against one server, each while a legitimate client works, and
 * checks after each attack that everything works again without a restart. Nothing is asserted about
 * speed.
 */
final class Siege {

  private static final Duration RECOVERY_MAX =
      Duration.ofSeconds(Integer.getInteger("siege.recovery.seconds", 60));

  /** Longer than the deadline of a stop, which docs/limits.md states. */
  static final int STOP_SECONDS_MAX = Integer.getInteger("siege.stop.seconds", 40);

  /** Descriptors that the server may have open after an attack in addition: files of RocksDB. */
  private static final long MORE_DESCRIPTORS_MAX = 64;

  private final Target target;
  private final Strength strength;

  Siege(Target target, Strength strength) {
    this.target = target;
    this.strength = strength;
    LegitimateClient.prepare(target);
    new LegitimateClient(target).succeeds(2);
  }

  /** Runs an attack and describes what happened. */
  SiegeReport run(Attack attack) {
    List<String> faults = new ArrayList<>();
    step(faults, "preparation", () -> attack.prepare(target, strength));
    long descriptors = target.process().openDescriptors().orElse(0);
    LegitimateClient client = new LegitimateClient(target);
    HealthWatch health = new HealthWatch(target.process());
    MemoryWatch memory = new MemoryWatch(target.process());
    List<String> offered = new ArrayList<>();
    try (client;
        health;
        memory) {
      client.start();
      step(faults, "attack", () -> offered.add(attack.run(target, strength)));
      if (!attack.endsServer()) {
        awaitRound(client);
      }
    }
    long residentMib = memory.peakMib();
    faults.addAll(survival(attack, client, health, residentMib));
    if (attack.endsServer()) {
      step(faults, "restart", () -> restart(client.acknowledged()));
    } else {
      faults.addAll(recovery(descriptors));
    }
    if (faults.isEmpty()) {
      step(faults, "afterwards", () -> attack.check(target, strength));
    }
    return new SiegeReport(
        attack.name(),
        String.join("", offered),
        client.operations(),
        client.p99Millis(),
        client.busy(),
        client.broken(),
        client.refused(),
        client.wrong(),
        health.missed(),
        residentMib,
        Double.NaN,
        faults);
  }

  /** Starts the server again. Every entity whose insertion was acknowledged must be there. */
  private void restart(List<Integer> acknowledged) throws IOException {
    target.restart();
    LegitimateClient reader = new LegitimateClient(target);
    acknowledged.forEach(reader::point);
    reader.close();
    if (reader.operations() != acknowledged.size()) {
      throw new IOException(
          "%d of %d acknowledged entities were found: %s"
              .formatted(reader.operations(), acknowledged.size(), reader.firstWrong()));
    }
  }

  /** Stops the server with SIGTERM. Returns the seconds until its end, or NaN if it stays. */
  double stop() {
    long begin = System.nanoTime();
    try {
      target.process().terminate().get(STOP_SECONDS_MAX, TimeUnit.SECONDS);
      return (System.nanoTime() - begin) / 1e9;
    } catch (TimeoutException e) {
      return Double.NaN;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lets the client finish a round that began after the attack, so that it shows that it works. */
  private void awaitRound(LegitimateClient client) {
    int before = client.rounds();
    await(() -> client.rounds() > before || !target.process().isAlive());
  }

  private List<String> survival(
      Attack attack, LegitimateClient client, HealthWatch health, long residentMib) {
    List<String> faults = new ArrayList<>();
    if (!attack.endsServer() && !target.process().isAlive()) {
      faults.add("the process has ended");
    }
    if (target.ranOutOfMemory()) {
      faults.add("OutOfMemoryError in the log");
    }
    if (health.missed() > 0 && !attack.endsServer()) {
      faults.add("the admin port did not answer " + health.missed() + " times");
    }
    if (client.operations() == 0) {
      faults.add("no legitimate operation succeeded");
    }
    if (client.wrong() > 0) {
      faults.add("wrong answers: " + client.firstWrong());
    }
    if (client.broken() > 0 && !attack.endsServer()) {
      faults.add("broken connections: " + client.firstWrong());
    }
    if (client.refused() > 0 && !attack.takesConnections() && !attack.endsServer()) {
      faults.add("new connections were not admitted");
    }
    if (residentMib > Target.BOUND_MIB) {
      faults.add("memory above its bound of " + Target.BOUND_MIB + " MiB");
    }
    return faults;
  }

  /** Checks that everything works again: operations, connections, and the budget of bodies. */
  private List<String> recovery(long descriptorsBefore) {
    List<String> faults = new ArrayList<>();
    if (!await(() -> new LegitimateClient(target).succeeds(3))) {
      faults.add("operations still fail after the attack");
      return faults;
    }
    long most = descriptorsBefore + MORE_DESCRIPTORS_MAX;
    if (!await(() -> target.process().openDescriptors().orElse(0) <= most)) {
      faults.add(
          "%d descriptors open, %d before the attack"
              .formatted(target.process().openDescriptors().orElse(0), descriptorsBefore));
    }
    if (!target.isSecure()) {
      step(
          faults, "large bodies", () -> Stock.putLargeEntities(target, "legit", strength.of(2, 8)));
    }
    return faults;
  }

  private static boolean await(BooleanSupplier condition) {
    try {
      Awaitility.await()
          .atMost(RECOVERY_MAX)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(100))
          .until(condition::getAsBoolean);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  private static void step(List<String> faults, String what, Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException | AssertionError e) {
      faults.add(what + ": " + e);
    }
  }

  /** A part of a siege that may fail. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }
}
