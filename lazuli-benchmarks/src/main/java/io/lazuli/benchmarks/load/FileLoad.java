package io.lazuli.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Plain files written and read by the calling thread: the yardstick of what keeps bytes. The
 * thread's CPU time stands for the server's.
 *
 * @param folder where they are
 * @param files so many are used in turn
 * @param piece what is written with one call
 * @param pieces so many are a file
 */
public record FileLoad(Path folder, int files, ByteBuffer piece, int pieces) {
  private static final int READ_BYTES = 256 << 10;

  /** What is done with one file. */
  private interface Work {
    void run(Path file) throws IOException;
  }

  /** Writes each file once. */
  public void fill() throws IOException {
    for (int i = 0; i < files; i++) {
      write(file(i));
    }
  }

  /** Writes files, each synced to disk, for some time. */
  public LoadResult write(long nanos) throws IOException {
    return repeat(nanos, this::write);
  }

  /** Reads files, all of which are there, for some time. */
  public LoadResult read(long nanos) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
    return repeat(nanos, file -> read(file, buffer));
  }

  private void write(Path file) throws IOException {
    Set<StandardOpenOption> options =
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
    try (FileChannel channel = FileChannel.open(file, options)) {
      for (int i = 0; i < pieces; i++) {
        ByteBuffer bytes = piece.duplicate();
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
      }
      channel.force(true);
    }
  }

  private void read(Path file, ByteBuffer buffer) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      for (long left = (long) piece.remaining() * pieces; left > 0; ) {
        int read = channel.read(buffer.clear());
        if (read < 0) {
          throw new EOFException(file + " is shorter than it was written");
        }
        left -= read;
      }
    }
  }

  private LoadResult repeat(long nanos, Work work) throws IOException {
    Histogram latency = new Histogram(TimeUnit.MINUTES.toMicros(10), 3);
    long start = System.nanoTime();
    long cpuStart = cpuNanos();
    long count = 0;
    do {
      long before = System.nanoTime();
      work.run(file(count % files));
      latency.recordValue((System.nanoTime() - before) / 1_000);
      count++;
    } while (System.nanoTime() - start < nanos);
    long cpu = cpuNanos() - cpuStart;
    return new LoadResult(count, 0, "", System.nanoTime() - start, cpu, cpu, latency);
  }

  private Path file(long number) {
    return folder.resolve("file" + number);
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
