package io.lazuli.server.load.real;

import io.lazuli.server.PackedServer;
import io.lazuli.server.load.real.DiagnosisWatch.Seen;
import io.lazuli.server.load.rule.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real requests to a packed server in real time: an hour of a healthy application, in which nothing
 * may be diagnosed, and then problems, each of which must be diagnosed within five minutes. The
 * loads were written by somebody who had not read the rules of the diagnoses. The machines have
 * addresses of their own, which only Linux has without being asked.
 */
@Tag("long")
@EnabledOnOs(OS.LINUX)
class RealLoadIT {
  /** Fewer for a trial: {@code -Dload.minutes=5}. */
  private static final int MINUTES = Integer.getInteger("load.minutes", 60);

  /** Each problem must be found within this time. */
  private static final int FOUND_SECONDS_MAX = 300;

  /** A wave of problems goes on for this time, even if all are found. */
  private static final int WAVE_SECONDS = Math.min(FOUND_SECONDS_MAX, MINUTES * 5);

  private static final Duration HOUR_POLL = Duration.ofSeconds(30);
  private static final Duration WAVE_POLL = Duration.ofSeconds(5);
  private static final int MACHINE_THREADS = 24;

  /** What is needed to send requests to a server and to see its diagnoses. */
  private record Site(PackedServer server, DiagnosisWatch watch) {
    List<Machine> machines(Tally tally) {
      return IntStream.rangeClosed(11, 15).mapToObj(i -> machine("127.0.0." + i, tally)).toList();
    }

    Machine machine(String address, Tally tally) {
      Map<Call.Service, Integer> ports =
          Map.of(
              Call.Service.TABLE,
              server.tablePort(),
              Call.Service.QUEUE,
              server.queuePort(),
              Call.Service.BLOB,
              server.blobPort());
      return new Machine(address, MACHINE_THREADS, ports, tally);
    }

    double cpuSeconds() {
      return server.process().info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
    }
  }

  @TempDir private Path folder;

  private final SoftAssertions results = new SoftAssertions();
  private final StringBuilder found = new StringBuilder();

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }

  private static Site start(Path data, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--console-open");
    PackedServer server =
        PackedServer.startAsInstalled(PackedServer.JAR, data, all.toArray(String[]::new));
    return new Site(server, new DiagnosisWatch(server.adminPort()));
  }

  private static Stream<List<Problem>> tableWaves() {
    return Stream.of(
            Stream.of(
                TableProblems.fanOuts(), TableProblems.scans(), TableProblems.filtersWithoutKey()),
            Stream.of(TableProblems.largeEntities(), TableProblems.prepends()),
            Stream.of(TableProblems.appends(), TableProblems.smallBatches()),
            Stream.of(TableProblems.hotPartitions()),
            Stream.of(TableProblems.hotDevices(), TableProblems.hotEntities()))
        .map(lists -> lists.flatMap(List::stream).toList());
  }

  @Test
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void anHourHasNoDiagnosisAndEveryProblemHasOne() throws Exception {
    Site site = start(Files.createDirectories(folder.resolve("site")));
    try (PackedServer server = site.server) {
      seed(site);
      hour(site);
      problems(site);
    }
    throttled();
    print("%n| load | expected | in | found after s |%n| --- | --- | --- | --- |%n%s", found);
    results.assertAll();
  }

  private void seed(Site site) throws Exception {
    Tally tally = new Tally();
    long begin = System.nanoTime();
    List<Consumer<Machine>> work = new ArrayList<>();
    tableWaves().flatMap(List::stream).forEach(problem -> work.addAll(problem.data()));
    Seeding.fillRental(work);
    OtherProblems.queues(() -> {}).forEach(problem -> work.addAll(problem.data()));
    Machine machine = site.machine("127.0.0.20", tally);
    Seeding.createRental(machine);
    Seeding.run(machine, work);
    machine.close();
    double seconds = (System.nanoTime() - begin) / 1e9;
    print("# Stored before, in %.0f s%n%n%s", seconds, tally.table(seconds));
    results.assertThat(tally.surprises()).as("while the data is stored").isEmpty();
    for (Seen seen : site.watch.look()) {
      print("while the data is stored: %s", seen);
    }
  }

  private void hour(Site site) throws Exception {
    Tally tally = new Tally();
    List<Machine> machines = site.machines(tally);
    Machine office = site.machine("127.0.0.20", tally);
    double cpu = site.cpuSeconds();
    double ownCpu = ownCpuSeconds();
    long begin = System.nanoTime();
    print("# %d minutes from %s", MINUTES, Instant.now());
    List<Seen> alarms = new ArrayList<>();
    try (Traffic traffic = new Traffic(machines)) {
      BikeRental rental = new BikeRental(traffic);
      rental.begin();
      Traffic.Stream unused = rental.mailWorker();
      new BikeEvents(traffic, rental, office, MINUTES).begin();
      int polls = (int) (Duration.ofMinutes(MINUTES).toMillis() / HOUR_POLL.toMillis());
      for (int i = 1; i <= polls; i++) {
        awaitNanos(begin + HOUR_POLL.toNanos() * i);
        for (Seen seen : site.watch.look()) {
          print("in the hour: %s", seen);
          alarms.add(seen);
        }
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    close(machines, office);
    print(
        "%n%s%nCPU seconds in %.0f s: server %.0f, clients %.0f; diagnoses: %d%n",
        tally.table(seconds),
        seconds,
        site.cpuSeconds() - cpu,
        ownCpuSeconds() - ownCpu,
        alarms.size());
    results.assertThat(alarms).as("diagnoses of a healthy application").isEmpty();
    results.assertThat(tally.surprises()).as("answers that nobody expects").isEmpty();
  }

  private static double ownCpuSeconds() {
    return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
  }

  private static void awaitNanos(long time) {
    Store.pause(Duration.ofNanos(Math.max(1, time - System.nanoTime())));
  }

  private static void close(List<Machine> machines, Machine office)
      throws IOException, InterruptedException {
    for (Machine machine : machines) {
      machine.close();
    }
    office.close();
  }

  private void problems(Site site) throws Exception {
    Tally tally = new Tally();
    List<Machine> machines = site.machines(tally);
    Machine office = site.machine("127.0.0.20", tally);
    Set<String> expected = new HashSet<>();
    long begin = System.nanoTime();
    try (Traffic background = new Traffic(machines)) {
      BikeRental rental = new BikeRental(background);
      rental.begin();
      Traffic.Stream worker = rental.mailWorker();
      List<List<Problem>> waves = new ArrayList<>(tableWaves().toList());
      waves.add(OtherProblems.queues(() -> background.stop(worker)));
      results
          .assertThat(waves.stream().flatMap(List::stream).map(Problem::kind))
          .as("every kind has a problem")
          .containsAll(EnumSet.complementOf(EnumSet.of(Kind.THROTTLED)));
      for (List<Problem> wave : waves) {
        wave.forEach(problem -> expected.add(problem.kind().key() + " " + problem.space()));
        wave(site, wave, machines, expected);
      }
    }
    close(machines, office);
    print("%n%s", tally.table((System.nanoTime() - begin) / 1e9));
    results.assertThat(tally.surprises()).as("answers to problems").isEmpty();
  }

  /** Begins several problems at the same time, and waits until all are found. */
  private void wave(Site site, List<Problem> wave, List<Machine> machines, Set<String> expected)
      throws Exception {
    String spaces = wave.stream().map(Problem::space).collect(Collectors.joining(", "));
    print("# Problems from %s: %s", Instant.now(), spaces);
    List<Problem> missing = new ArrayList<>(wave);
    double cpu = site.cpuSeconds();
    long begin = System.nanoTime();
    Instant began = Instant.now();
    double seconds = 0;
    try (Traffic traffic = new Traffic(machines)) {
      wave.forEach(problem -> problem.begin().accept(traffic));
      // The last look is after the time, because a diagnosis has the time at which it was made.
      for (int i = 1; seconds < (missing.isEmpty() ? WAVE_SECONDS : FOUND_SECONDS_MAX + 1); i++) {
        awaitNanos(begin + WAVE_POLL.toNanos() * i);
        seconds = (System.nanoTime() - begin) / 1e9;
        for (Seen seen : site.watch.look()) {
          print("after %.0f s: %s", seconds, seen);
          results
              .assertThat(expected.contains(seen.field("kind") + " " + seen.field("space")))
              .as("nothing else is a problem: " + seen)
              .isTrue();
          note(missing, seen, began);
        }
      }
    }
    print("CPU seconds of the server in %.0f s: %.0f", seconds, site.cpuSeconds() - cpu);
    missing.forEach(problem -> found.append(row(problem, "not found")));
    results.assertThat(missing).as("not found within five minutes").isEmpty();
  }

  private void note(List<Problem> missing, Seen seen, Instant began) {
    for (Problem problem : List.copyOf(missing)) {
      long seconds = Duration.between(began, Instant.parse(seen.field("since"))).toSeconds();
      if (seen.is(problem.kind(), problem.space()) && seconds <= FOUND_SECONDS_MAX) {
        missing.remove(problem);
        found.append(row(problem, Long.toString(seconds)));
      }
    }
  }

  private static String row(Problem problem, String after) {
    return "| %s | %s | %s | %s |%n"
        .formatted(
            problem.name(),
            problem.kind().key(),
            problem.space().isEmpty() ? "the account" : "`" + problem.space() + "`",
            after);
  }

  /** An account that may have only some requests is on a server of its own. */
  private void throttled() throws Exception {
    Site site = start(Files.createDirectories(folder.resolve("limited")), "--account-rate=38");
    Problem problem = OtherProblems.throttled();
    try (PackedServer server = site.server) {
      Tally tally = new Tally();
      Machine office = site.machine("127.0.0.20", tally);
      problem.data().get(0).accept(office);
      List<Machine> machines = site.machines(tally);
      wave(site, List.of(problem), machines, Set.of(problem.kind().key() + " " + problem.space()));
      close(machines, office);
      results.assertThat(tally.surprises()).as("answers to an account with a rate").isEmpty();
    }
  }
}
