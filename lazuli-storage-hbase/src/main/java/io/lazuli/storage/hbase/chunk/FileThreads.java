package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StorageException.Kind;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.thread.OutOfMemory;
import io.lazuli.storage.thread.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that wait for the file system of the chunks. Writers and readers have threads of
 * their own, so that neither can take those of the other. A call that gets no thread, or takes too
 * long, fails with {@code UNAVAILABLE}. Thread-safe.
 */
final class FileThreads implements AutoCloseable {
  /** A writer has at most one call under way; the others are for files that are given up. */
  static final int WRITERS_MAX = HBaseChunkStore.WRITERS_MAX + 32;

  static final int READERS_MAX = 64;

  /** More than all open readers can ask for at a time. */
  static final int WAITING_READS_MAX = 3 * HBaseChunkStore.READERS_MAX;

  private static final long IDLE_SECONDS = 30;

  /** Longer than the file system needs to go on without a data node that does not answer. */
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(60);

  private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

  /** A call to the file system. It may block. */
  @FunctionalInterface
  interface Call<T> {
    T run() throws IOException;
  }

  private final ThreadPoolExecutor writers = pool("write", WRITERS_MAX, new SynchronousQueue<>());
  private final ThreadPoolExecutor readers =
      pool("read", READERS_MAX, new LinkedBlockingQueue<>(WAITING_READS_MAX));
  private final Executor workers;
  private final Duration writeTimeout;

  /**
   * @param workers take over everything that follows a call
   */
  FileThreads(Executor workers) {
    this(workers, WRITE_TIMEOUT);
  }

  FileThreads(Executor workers, Duration writeTimeout) {
    this.workers = workers;
    this.writeTimeout = writeTimeout;
  }

  private static ThreadPoolExecutor pool(String word, int max, BlockingQueue<Runnable> waiting) {
    AtomicInteger number = new AtomicInteger();
    // Without a queue, a thread is made only if all are busy.
    int core = waiting instanceof SynchronousQueue ? 0 : max;
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            core,
            max,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            waiting,
            task -> Threads.daemon(task, "lazuli-hbase-" + word + "-" + number.getAndIncrement()));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  <T> CompletableFuture<T> write(Call<T> call) {
    return run(writers, call, writeTimeout, "a file of a chunk was not written in time");
  }

  <T> CompletableFuture<T> read(Call<T> call) {
    return run(readers, call, READ_TIMEOUT, "a file of a chunk was not read in time");
  }

  private <T> CompletableFuture<T> run(
      ThreadPoolExecutor threads, Call<T> call, Duration limit, String late) {
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      threads.execute(() -> run(call, result));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          threads.isShutdown()
              ? new StorageException(Kind.CLOSED, "the engine is closed")
              : new StorageException(Kind.UNAVAILABLE, "too many files of chunks are in use"));
    }
    return Steps.rescue(
        RegionCalls.within(result, Deadline.after(limit), late),
        failure ->
            CompletableFuture.failedFuture(
                failure instanceof StorageException e && e.kind() == Kind.TIMEOUT
                    ? HBaseChunkStore.unavailable(e)
                    : failure));
  }

  private <T> void run(Call<T> call, CompletableFuture<T> result) {
    try {
      T value = call.run();
      workers.execute(() -> result.complete(value));
    } catch (Throwable e) {
      OutOfMemory.check(e);
      Throwable failure =
          e instanceof IOException io
              ? new StorageException(Kind.UNAVAILABLE, "the file system of the chunks: " + io, io)
              : e;
      workers.execute(() -> result.completeExceptionally(failure));
    }
  }

  /** Interrupts the calls that are under way. */
  @Override
  public void close() {
    writers.shutdownNow();
    readers.shutdownNow();
  }
}
