package io.lazuli.server;

import io.lazuli.server.http.ListenException;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.thread.BackgroundThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that a server holds only until another server needs it. A file in the machine's temporary
 * folder announces this. A server that needs the port deletes the file; the holder checks the file
 * on its own thread and then closes the port. A file is used because the listener may demand TLS
 * and signatures. A file that a killed process left does no harm.
 */
final class YieldingPort implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(YieldingPort.class);
  private static final Duration CHECK_PERIOD = Duration.ofMillis(200);

  /** The time that the holder may need to close the port. */
  private static final Duration LEAVING_MAX = Duration.ofSeconds(5);

  private final Path mark;
  private final boolean marked;
  private final BackgroundThread thread = new BackgroundThread("signpost", LOG::warn);

  private YieldingPort(Path mark, boolean marked) {
    this.mark = mark;
    this.marked = marked;
  }

  /**
   * Creates the file. It is created before the port is opened, so that no other server finds the
   * port in use and no file.
   */
  static YieldingPort announce(int port) {
    Path mark = mark(port);
    try {
      Files.createFile(mark);
      return new YieldingPort(mark, true);
    } catch (IOException e) {
      return new YieldingPort(mark, false);
    }
  }

  /**
   * Opens a port. If another process holds the port and is ready to yield it, asks for it and
   * waits.
   *
   * @throws ListenException if the port cannot be opened
   */
  static void take(int port, Runnable listen) {
    try {
      listen.run();
    } catch (ListenException e) {
      if (!ask(port)) {
        throw e;
      }
      takeAfter(Deadline.after(LEAVING_MAX), listen);
    }
  }

  private static void takeAfter(Deadline patience, Runnable listen) {
    while (true) {
      LockSupport.parkNanos(CHECK_PERIOD.toNanos());
      try {
        listen.run();
        return;
      } catch (ListenException e) {
        if (patience.hasPassed()) {
          throw e;
        }
      }
    }
  }

  /** Asks the holder of the port to close it. Returns false if no holder is ready to yield it. */
  private static boolean ask(int port) {
    try {
      return Files.deleteIfExists(mark(port));
    } catch (IOException e) {
      return false;
    }
  }

  private static Path mark(int port) {
    return Path.of(System.getProperty("java.io.tmpdir"), "lazuli-signpost-" + port);
  }

  /** Starts to check the file. Called once the port is open. */
  void leaveWhenAsked(Runnable leave) {
    thread.repeat(CHECK_PERIOD, CHECK_PERIOD, () -> look(leave));
    thread.start();
  }

  private Duration look(Runnable leave) {
    if (!Files.notExists(mark)) {
      return CHECK_PERIOD;
    }
    leave.run();
    return BackgroundThread.UNTIL_WOKEN;
  }

  /** Returns one line about a check that failed; empty if the checks work. */
  String trouble() {
    return thread.trouble();
  }

  /** Ends the check and deletes the file, unless another process created it. */
  @Override
  public void close() {
    thread.close();
    try {
      if (marked) {
        Files.deleteIfExists(mark);
      }
    } catch (IOException e) {
      LOG.debug("{} stays", mark, e);
    }
  }
}
