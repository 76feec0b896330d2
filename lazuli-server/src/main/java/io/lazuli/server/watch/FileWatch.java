package io.lazuli.server.watch;

import io.lazuli.storage.thread.BackgroundThread;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads files again when they change. It checks them periodically, on its own thread. Files that
 * cannot be used change nothing: the last good content stays in force.
 *
 * <p>A problem is logged once, and only when a second check in a row finds it: while an operator
 * replaces several files one after another, a single check may find files that do not fit together.
 */
public final class FileWatch<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

  /** Work to do after each check that finds no problem. */
  @FunctionalInterface
  public interface Work<T> {
    /**
     * Runs on the thread of the watch.
     *
     * @param content the content in force
     */
    void run(T content) throws WatchException;
  }

  private final WatchedFiles<T> files;
  private final String consequence;
  private volatile T content;
  private @Nullable BackgroundThread thread;
  private Object inForce;
  private @Nullable String problem;
  private boolean reported;

  /**
   * Reads the files for the first time.
   *
   * @param consequence the end of the log line about a problem; says what stays in force
   * @throws WatchException if the files cannot be used
   */
  public FileWatch(WatchedFiles<T> files, String consequence) throws WatchException {
    this.files = files;
    this.consequence = consequence;
    // The stamp is taken before the content, so that the first check notices a change between the
    // two.
    this.inForce = files.stamp();
    this.content = files.read();
  }

  /** Returns the content in force. */
  public T content() {
    return content;
  }

  /**
   * Begins to check the files.
   *
   * @param name the name of the thread
   * @param changed takes new content
   * @param work runs after each check that finds no problem
   */
  public void start(String name, Consumer<T> changed, Work<T> work, Duration period) {
    BackgroundThread started = new BackgroundThread(name, LOG::warn);
    started.repeat(
        Duration.ZERO,
        period,
        () -> {
          tick(changed, work);
          return period;
        });
    started.start();
    thread = started;
  }

  /** Returns one line about a check that failed; empty if the checks work. */
  public String trouble() {
    BackgroundThread started = thread;
    return started == null ? "" : started.trouble();
  }

  private void tick(Consumer<T> changed, Work<T> work) {
    try {
      check(changed);
      work.run(content);
      problem = null;
    } catch (WatchException e) {
      report(e.getMessage());
    }
  }

  private void check(Consumer<T> changed) throws WatchException {
    Object now = files.stamp();
    if (!now.equals(inForce)) {
      T fresh = files.read();
      changed.accept(fresh);
      content = fresh;
      inForce = now;
    }
  }

  private void report(String found) {
    if (!found.equals(problem)) {
      problem = found;
      reported = false;
    } else if (!reported) {
      reported = true;
      LOG.warn("{}; {}", found, consequence);
    }
  }

  /** Stops the checks. Waits a bounded time for a running check to finish. */
  @Override
  public void close() {
    BackgroundThread started = thread;
    if (started != null) {
      started.close();
    }
  }
}
