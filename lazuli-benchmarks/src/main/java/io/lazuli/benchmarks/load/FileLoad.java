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
 * Writes and reads plain files on the calling thread: the baseline for services that store bytes.
 * The CPU time of the thread is reported as the server's.
 *
 * @param folder the folder of the files
 * @param files the number of files, which are used in turn
 * @param piece the bytes of one write call
 * @param pieces the number of pieces in a file
 */
public record FileLoad(Path folder, int files, ByteBuffer piece, int pieces) {
  private static final int READ_BYTES = 256 << 10;

  /** The operation on one file. */
  private interface Work {
    void run(Path file) throws IOException;
  }

  /** Writes each file once. */
  public void fill() throws IOException {
    for (int i = 0; i < files; i++) {
      write(file(i));
    }
  }

  /** Writes files for some time; each is synced to disk. */
  public LoadResult write(long nanos) throws IOException {
    return repeat(nanos, this::write);
  }

  /** Reads files for some time; all of them must exist. */
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
          throw new EOFException(file + " is shorter than expected");
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
