package io.lazuli.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * A bound on the processor time of one process, so that a machine of two processors can have region
 * servers that are busy before anything else is. It is a control group of version 1; the process
 * stops for the rest of each period in which it has used its part. Needs root. Used by one thread.
 */
public final class ProcessorQuota implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/fs/cgroup/cpu");
  private static final String NAME = "lazuli-quota-";

  /** Other processes of the machine have 1,024. */
  private static final String SHARES = "65536";

  private final Path group;

  private ProcessorQuota(Path group) {
    this.group = group;
  }

  /** Returns why this machine cannot bound processes; empty if it can. */
  public static String obstacle() {
    Path trial = ROOT.resolve(NAME + ProcessHandle.current().pid() + "-trial");
    try {
      Files.createDirectory(trial);
      boolean works = Files.isWritable(trial.resolve("cpu.cfs_quota_us"));
      Files.delete(trial);
      return works ? "" : ROOT + " has no quotas";
    } catch (IOException e) {
      return "quotas need root and control groups of version 1: " + e;
    }
  }

  /** Puts a process into a group of its own, which has no bound yet. */
  public static ProcessorQuota of(ClusterProcess process) {
    return of(process.name(), process.pid());
  }

  /** Puts this process into a group of its own, which has no bound yet. */
  public static ProcessorQuota ofThisProcess() {
    return of("self", ProcessHandle.current().pid());
  }

  private static ProcessorQuota of(String name, long process) {
    removeLeftovers();
    Path group = ROOT.resolve(NAME + ProcessHandle.current().pid() + "-" + name);
    try {
      Files.createDirectory(group);
      // The machine may have other work. A process that may use little gets it when it needs it.
      Files.writeString(group.resolve("cpu.shares"), SHARES);
      Files.writeString(group.resolve("cgroup.procs"), String.valueOf(process));
    } catch (IOException e) {
      throw new ClusterException("cannot bound " + name, e);
    }
    return new ProcessorQuota(group);
  }

  /**
   * Bounds the process.
   *
   * @param used the processor time that it may use in each period; at least a millisecond
   */
  public void limit(Duration used, Duration period) {
    write("cpu.cfs_quota_us", -1);
    write("cpu.cfs_period_us", period.toNanos() / 1_000);
    write("cpu.cfs_quota_us", used.toNanos() / 1_000);
  }

  /** Ends the bound. */
  public void lift() {
    write("cpu.cfs_quota_us", -1);
  }

  private void write(String file, long value) {
    try {
      Files.writeString(group.resolve(file), String.valueOf(value));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the bound and the group. The process goes on. */
  @Override
  public void close() {
    try {
      remove(group);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path group) throws IOException {
    for (String process : Files.readAllLines(group.resolve("cgroup.procs"))) {
      Files.writeString(ROOT.resolve("cgroup.procs"), process);
    }
    Files.delete(group);
  }

  /** Removes the groups of processes that were killed. */
  private static void removeLeftovers() {
    try (Stream<Path> groups = Files.list(ROOT)) {
      for (Path group : groups.filter(ProcessorQuota::isLeftover).toList()) {
        remove(group);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isLeftover(Path group) {
    String name = String.valueOf(group.getFileName());
    return name.startsWith(NAME)
        && ProcessHandle.of(Long.parseLong(name.split("-", 4)[2])).isEmpty();
  }
}
