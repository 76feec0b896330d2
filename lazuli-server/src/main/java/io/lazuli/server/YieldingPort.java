package io.lazuli.server;

import io.lazuli.server.http.ListenException;
import io.lazuli.storage.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
  private final CountDownLatch closed = new CountDownLatch(1);

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
    Thread thread = new Thread(() -> watch(leave), "signpost");
    thread.setDaemon(true);
    thread.start();
  }

  private void watch(Runnable leave) {
    try {
      while (!closed.await(CHECK_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        if (Files.notExists(mark)) {
          leave.run();
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the check and deletes the file, unless another process created it. */
  @Override
  public void close() {
    closed.countDown();
    try {
      if (marked) {
        Files.deleteIfExists(mark);
      }
    } catch (IOException e) {
      LOG.debug("{} stays", mark, e);
    }
  }
}
