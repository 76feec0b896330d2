package io.lazuli.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.contract.EngineFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/**
 * The program in which calls to the disk fail, one kind of failure after another, at many moments
 * of the same steps. It checks itself, and prints one line for each kind.
 */
final class DiskFaults {
  private static final int STEPS = 6;
  private static final int STEPS_BEFORE = 2;

  /** A kind of failure, as the control file of {@link CrashDisk} takes it. */
  enum Fault {
    WRITE_ERROR("w 5", true),
    DISK_FULL("w 28", true),
    SYNC_ERROR("s 5", true),
    READ_ERROR("r 5", true),
    NO_DESCRIPTOR("o 24", true),
    SHORT_WRITE("w 0", false),
    SLOW_SYNC("s -3", false);

    private final String line;
    private final boolean fails;

    Fault(String line, boolean fails) {
      this.line = line;
      this.fails = fails;
    }
  }

  private final Map<CrashSteps, Long> acknowledged = new EnumMap<>(CrashSteps.class);
  private final Path folder;

  private DiskFaults(Path folder) {
    this.folder = folder;
  }

  /** Arguments: the folder, the number of moments for each kind, and the stride between them. */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    int moments = Integer.parseInt(arguments[1]);
    int stride = Integer.parseInt(arguments[2]);
    for (Fault fault : Fault.values()) {
      int failed = 0;
      for (int i = 0; i < moments; i++) {
        Path folder = Files.createDirectory(root.resolve(fault + "-" + i));
        failed += new DiskFaults(folder).run(fault, i * stride) ? 1 : 0;
      }
      System.out.printf("%s at %d moments: %d stopped the steps%n", fault, moments, failed);
      if (!fault.fails) {
        assertThat(failed).isZero();
      }
    }
    System.out.println("done");
  }

  /** Returns true if the fault ended the steps. */
  private boolean run(Fault fault, int after) {
    boolean stopped;
    try (RocksDbEngine engine = RocksDbEngine.open(CrashWorkload.config(folder))) {
      EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER));
      take(engine, STEPS_BEFORE);
      CrashDisk.send("fault " + fault.line + " " + after + " 1000000");
      stopped = take(engine, STEPS);
      EngineState during = engine.state();
      checkReads(engine, fault);
      CrashDisk.send("clear");
      if (stopped && fault != Fault.READ_ERROR) {
        assertThat(during.writable() && during.fault().isEmpty())
            .as("%s is healthy", fault)
            .isFalse();
      }
      if (engine.state().writable()) {
        // Only chunks had trouble. It is over.
        assertThat(take(engine, STEPS + 1)).as("%s stays", fault).isFalse();
      }
    } catch (StorageException e) {
      throw new AssertionError(fault + " after " + after, e);
    } finally {
      CrashDisk.send("clear");
    }
    try (RocksDbEngine engine = RocksDbEngine.open(CrashWorkload.config(folder))) {
      assertThat(engine.state().fault()).isEmpty();
      for (CrashSteps producer : CrashSteps.values()) {
        long known = acknowledged.getOrDefault(producer, 0L);
        long found = producer.check(engine);
        assertThat(found).as("%s after %d: %s", fault, after, producer).isBetween(known, known + 1);
        producer.take(engine, found + 1);
      }
    } catch (EngineOpenException e) {
      throw new AssertionError(fault + " after " + after, e);
    }
    return stopped;
  }

  /** Takes steps until each producer has so many. Returns true if one failed. */
  private boolean take(RocksDbEngine engine, int steps) {
    for (long step = 1; step <= steps; step++) {
      for (CrashSteps producer : CrashSteps.values()) {
        if (acknowledged.getOrDefault(producer, 0L) < step) {
          try {
            producer.take(engine, step);
          } catch (StorageException e) {
            return true;
          }
          acknowledged.put(producer, step);
        }
      }
    }
    return false;
  }

  /** What can be read while the disk fails is right. */
  private void checkReads(RocksDbEngine engine, Fault fault) {
    for (CrashSteps producer : CrashSteps.values()) {
      try {
        long known = acknowledged.getOrDefault(producer, 0L);
        assertThat(producer.check(engine))
            .as("%s: %s", fault, producer)
            .isBetween(known, known + 1);
      } catch (StorageException e) {
        assertThat(e.kind()).isNotEqualTo(StorageException.Kind.SPACE_GONE);
      }
    }
  }
}
