package io.lazuli.cluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Compares a processor with the formulas of queueing theory. */
final class ProcessorTest {
  private static final long SERVICE = 1_000;
  private static final double LOAD = 0.7;
  private static final int JOBS = 200_000;

  private final Events events = new Events();
  private final SplittableRandom random = new SplittableRandom(7);

  @Test
  void waitsLikeMM1() {
    Usage usage = run(1, LOAD, () -> exponential(SERVICE));
    double waiting = SERVICE * LOAD / (1 - LOAD);
    assertThat(usage.meanWaitNanos()).isCloseTo(waiting, Percentage.withPercentage(4));
  }

  @Test
  void waitsLikeMD1() {
    Usage usage = run(1, LOAD, () -> SERVICE);
    double waiting = SERVICE * LOAD / (2 * (1 - LOAD));
    assertThat(usage.meanWaitNanos()).isCloseTo(waiting, Percentage.withPercentage(4));
  }

  @Test
  void waitsLikeMM2() {
    Usage usage = run(2, LOAD, () -> exponential(SERVICE));
    // Erlang C for two servers.
    double waiting = SERVICE * LOAD * LOAD / (1 - LOAD * LOAD);
    assertThat(usage.meanWaitNanos()).isCloseTo(waiting, Percentage.withPercentage(4));
  }

  @Test
  void keepsTheLawsOfUtilisationAndOfLittle() {
    Usage usage = run(1, LOAD, () -> exponential(SERVICE));
    assertThat(usage.utilisation(1)).isCloseTo(LOAD, Percentage.withPercentage(1));
    double rate = usage.started() / (double) events.now();
    assertThat(usage.meanWaiting())
        .isCloseTo(rate * usage.meanWaitNanos(), Percentage.withPercentage(0.1));
  }

  private Usage run(int cores, double load, LongSupplier service) {
    Processor processor = new Processor(events, cores);
    double gap = SERVICE / load / cores;
    int[] done = {0};
    arrive(processor, gap, service, done, JOBS);
    events.run((long) (gap * JOBS));
    assertThat(done[0]).isGreaterThan(JOBS * 9 / 10);
    return processor.usage();
  }

  private void arrive(Processor processor, double gap, LongSupplier service, int[] done, int left) {
    if (left > 0) {
      events.after(
          exponential(gap),
          () -> {
            processor.run(service.getAsLong(), () -> done[0]++);
            arrive(processor, gap, service, done, left - 1);
          });
    }
  }

  private long exponential(double mean) {
    return Math.round(-Math.log(1 - random.nextDouble()) * mean);
  }

  @Test
  void aQuotaStopsTheProcessUntilTheNextPeriod() {
    Processor processor =
        new Processor(events, new Machine(events, 2, 0), 2, new Processor.Quota(3_000, 20_000), 0);
    List<Long> ends = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      processor.run(2_000, () -> ends.add(events.now()));
    }
    events.run(100_000);
    // Two cores use 3,000 in each period: the first job and half of the second, and so on.
    assertThat(ends).containsExactly(2_000L, 21_000L, 22_000L, 42_000L);
    assertThat(processor.utilisation()).isCloseTo(8_000 / 15_000.0, within(0.001));
  }

  @Test
  void aPauseDelaysWhatRunsAndWhatComes() {
    Processor paused = new Processor(events, 1);
    Processor other = new Processor(events, 1);
    List<String> ends = new ArrayList<>();
    paused.run(1_000, () -> ends.add("running " + events.now()));
    other.run(1_000, () -> ends.add("other " + events.now()));
    events.run(400);
    paused.pause(5_000);
    paused.run(1_000, () -> ends.add("next " + events.now()));
    events.run(20_000);
    assertThat(ends).containsExactly("other 1000", "running 6000", "next 7000");
  }

  @Test
  void processesShareTheCoresOfAMachine() {
    Machine machine = new Machine(events, 1, 1_500);
    Processor one = new Processor(events, machine, 4, Processor.Quota.NONE, 0);
    Processor two = new Processor(events, machine, 4, Processor.Quota.NONE, 0);
    List<String> ends = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      one.run(1_000, () -> ends.add("one"));
      two.run(1_000, () -> ends.add("two"));
    }
    events.run(10_000);
    // The first keeps the core until its slice is over, then it is the turn of the other.
    assertThat(ends).containsExactly("one", "one", "two", "two", "one", "two");
  }

  @Test
  void aStoppedProcessDoesNothing() {
    Processor processor = new Processor(events, 1);
    List<String> ends = new ArrayList<>();
    processor.run(1_000, () -> ends.add("running"));
    events.run(500);
    processor.stop();
    processor.run(1_000, () -> ends.add("next"));
    events.run(10_000);
    assertThat(ends).isEmpty();
  }
}
