package io.lazuli.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Durability;
import io.lazuli.storage.rocksdb.SimulatedDisk.Crash;
import io.lazuli.storage.rocksdb.SimulatedDisk.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Crashes between any two changes to the disk: the store opens, has everything that was
 * acknowledged, and nothing in part. A crash of the process keeps all changes, a power cut keeps
 * those that were synced and any of the others.
 */
final class CrashSimulationFaultIT {
  private static final int LONG_POINTS = 10_000;

  private long seed = Long.getLong("crash.seed", System.nanoTime());
  private Random random = new Random(seed);
  private CrashDisk disk;
  private Path data;
  private Path copy;
  private int points;
  private String where = "";

  @BeforeEach
  void prepare(@TempDir Path work) throws IOException, InterruptedException {
    disk = CrashDisk.prepare(work);
    Assumptions.assumeTrue(disk != null, "crash simulation: DID NOT RUN, there is no C compiler");
    data = Files.createDirectory(work.toRealPath().resolve("data"));
    // Opening thousands of copies is much faster in memory.
    Path memory = Path.of("/dev/shm");
    copy =
        Files.isWritable(memory)
            ? Files.createTempDirectory(memory, "lazuli-crash")
            : Files.createDirectory(work.resolve("copy"));
  }

  @AfterEach
  void removeCopy() throws IOException {
    if (copy != null) {
      remove(copy);
      Files.delete(copy);
    }
  }

  @Test
  void nothingAcknowledgedIsLostAtAnyMoment() throws IOException, InterruptedException {
    List<Event> events = record(Durability.DISK, 12);
    crashEverywhere(events, Math.max(1, events.size() * Crash.values().length / 120));
  }

  @Test
  @Tag("long")
  void nothingAcknowledgedIsLostInTenThousandCrashes() throws IOException, InterruptedException {
    while (points < Integer.getInteger("crash.points", LONG_POINTS)) {
      crashEverywhere(record(Durability.DISK, 60), 1);
      random = new Random(++seed);
    }
  }

  /** Every length of the last write of the log: a torn tail never keeps the store from opening. */
  @Test
  void aLogMayEndAtAnyByteOfItsLastRecord() throws IOException, InterruptedException {
    List<Event> events = record(Durability.DISK, 8);
    tearLogs(events, Math.max(1, logBytes(events) / 60));
  }

  @Test
  @Tag("long")
  void aLogMayEndAtEveryByteOfItsLastRecords() throws IOException, InterruptedException {
    List<Event> events = record(Durability.DISK, 8);
    tearLogs(events, Math.max(1, logBytes(events) / 3_000));
  }

  /** The control: without syncs, the same simulation does lose acknowledged steps. */
  @Test
  void relaxedDurabilityLosesAcknowledgedSteps() throws IOException, InterruptedException {
    List<Event> events = record(Durability.RELAXED, 8);
    SimulatedDisk simulated = new SimulatedDisk(events);
    Map<CrashSteps, Long> acknowledged = new EnumMap<>(CrashSteps.class);
    // The last step before the clean stop, which syncs.
    for (int i = 0; acknowledged.getOrDefault(CrashSteps.ROWS, 0L) < 4; i++) {
      simulated.apply(events.get(i));
      note(events.get(i), acknowledged);
    }
    simulated.write(Crash.NOTHING_UNSYNCED, random, copy);
    long kept = 0;
    if (Files.exists(copy.resolve("FORMAT"))) {
      try (RocksDbEngine engine = RocksDbEngine.open(CrashWorkload.config(copy))) {
        kept = CrashSteps.ROWS.check(engine);
      }
    }
    assertThat(kept).isLessThan(4);
  }

  /**
   * Runs the workload and returns what it did to the disk. {@code -Dcrash.trace} names the trace of
   * a failure to use it again: with the same seed, everything is the same.
   */
  private List<Event> record(Durability durability, int steps)
      throws IOException, InterruptedException {
    String failed = System.getProperty("crash.trace");
    if (failed != null) {
      return SimulatedDisk.read(Path.of(failed));
    }
    remove(data);
    Files.deleteIfExists(disk.trace());
    ChildJvm child =
        ChildJvm.start(
            disk.environment(data),
            List.of(),
            CrashWorkload.class,
            data.toString(),
            durability.name(),
            "" + steps);
    assertThat(child.output()).contains("done");
    assertThat(child.process().waitFor()).isZero();
    return SimulatedDisk.read(disk.trace());
  }

  /** Crashes after every {@code stride}th change, in every way. */
  private void crashEverywhere(List<Event> events, int stride) throws IOException {
    SimulatedDisk simulated = new SimulatedDisk(events);
    Map<CrashSteps, Long> acknowledged = new EnumMap<>(CrashSteps.class);
    int turn = random.nextInt(stride);
    for (int i = 0; i < events.size(); i++) {
      simulated.apply(events.get(i));
      note(events.get(i), acknowledged);
      for (Crash crash : Crash.values()) {
        if (turn++ % stride == 0) {
          where = "%s after change %d, %s".formatted(crash, i, describe(events.get(i)));
          simulated.write(crash, random, copy);
          check(acknowledged);
        }
      }
    }
    System.out.printf("%d crash points, nothing lost, -Dcrash.seed=%d%n", points, seed);
  }

  private void tearLogs(List<Event> events, int stride) throws IOException {
    SimulatedDisk simulated = new SimulatedDisk(events);
    Map<CrashSteps, Long> acknowledged = new EnumMap<>(CrashSteps.class);
    int turn = random.nextInt(stride);
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      simulated.apply(event);
      note(event, acknowledged);
      if (event.type() == 'W' && simulated.changed(event).endsWith(".log")) {
        for (int length = 0; length < event.first().length; length++) {
          if (turn++ % stride == 0) {
            where = "log cut in change %d after %d bytes".formatted(i, length);
            simulated.writeTorn(event, length, copy);
            check(acknowledged);
          }
        }
      }
    }
    System.out.printf("%d torn logs, nothing lost, -Dcrash.seed=%d%n", points, seed);
    assertThat(points).isGreaterThan(20);
  }

  private static int logBytes(List<Event> events) {
    SimulatedDisk simulated = new SimulatedDisk(events);
    int bytes = 0;
    for (Event event : events) {
      simulated.apply(event);
      boolean log = event.type() == 'W' && simulated.changed(event).endsWith(".log");
      bytes += log ? event.first().length : 0;
    }
    return bytes;
  }

  private static void note(Event event, Map<CrashSteps, Long> acknowledged) {
    String[] words = event.path().split(" ", -1);
    if (event.type() == 'A' && words[0].equals("ack")) {
      acknowledged.put(CrashSteps.valueOf(words[1]), Long.valueOf(words[2]));
    }
  }

  private static String describe(Event event) {
    boolean bytes = event.type() == 'W';
    return event.type() + " " + (bytes ? event.first().length + " bytes" : event.path());
  }

  /** Opens the copy and compares it with the acknowledged steps. */
  private void check(Map<CrashSteps, Long> acknowledged) throws IOException {
    points++;
    try (RocksDbEngine engine = RocksDbEngine.open(CrashWorkload.config(copy))) {
      for (CrashSteps producer : CrashSteps.values()) {
        long known = acknowledged.getOrDefault(producer, 0L);
        assertThat(producer.check(engine)).as("steps of " + producer).isBetween(known, known + 1);
        producer.checkTime(engine);
      }
    } catch (RuntimeException | AssertionError e) {
      Path trace = Path.of("target", "crash-" + seed + ".trace").toAbsolutePath();
      Files.copy(disk.trace(), trace, StandardCopyOption.REPLACE_EXISTING);
      throw new AssertionError(
          "%s, -Dcrash.seed=%d -Dcrash.trace=%s: %s".formatted(where, seed, trace, e.getMessage()),
          e);
    }
    remove(copy);
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(folder)) {
          Files.delete(file);
        }
      }
    }
  }
}
