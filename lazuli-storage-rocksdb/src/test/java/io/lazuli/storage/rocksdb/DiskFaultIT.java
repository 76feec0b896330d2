package io.lazuli.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk fails on read, write and sync, is full, is slow, takes writes in part, or files cannot
 * be opened: every step is acknowledged or fails, what is read is right, the state shows the
 * trouble, and a restart has everything that was acknowledged.
 */
final class DiskFaultIT {
  @Test
  void aFailingDiskLosesNothing(@TempDir Path work) throws IOException, InterruptedException {
    run(work, 4, 7);
  }

  @Test
  @Tag("long")
  void aDiskThatFailsAtAnyMomentLosesNothing(@TempDir Path work)
      throws IOException, InterruptedException {
    run(work, 120, 1);
  }

  private static void run(Path work, int moments, int stride)
      throws IOException, InterruptedException {
    CrashDisk disk = CrashDisk.prepare(work);
    Assumptions.assumeTrue(disk != null, "disk faults: DID NOT RUN, there is no C compiler");
    Path data = Files.createDirectory(work.toRealPath().resolve("data"));
    ChildJvm child =
        ChildJvm.start(
            disk.environment(data),
            List.of(),
            DiskFaults.class,
            data.toString(),
            "" + moments,
            "" + stride);
    List<String> output = child.output();
    output.forEach(System.out::println);
    assertThat(output).contains("done");
    assertThat(child.process().waitFor()).isZero();
  }
}
