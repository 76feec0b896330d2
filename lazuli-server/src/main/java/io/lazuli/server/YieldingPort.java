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
 * A port that is held only until somebody has more to offer there. A file in the temporary folder
 * of the machine says so; a server that wants the port removes it, and the holder, who looks for it
 * on a thread of its own, leaves. A file, because a listener may want TLS and signatures of whoever
 * asks. One that a killed process left behind does no harm.
 */
final class YieldingPort implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(YieldingPort.class);
  private static final Duration LOOK_PERIOD = Duration.ofMillis(200);

  /** How long the holder may take to leave. */
  private static final Duration LEAVING_MAX = Duration.ofSeconds(5);

  private final Path mark;
  private final boolean marked;
  private final CountDownLatch closed = new CountDownLatch(1);

  private YieldingPort(Path mark, boolean marked) {
    this.mark = mark;
    this.marked = marked;
  }

  /** Tells others before the port is taken, so that none of them finds it taken and no file. */
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
   * Takes a port, if need be from somebody who yields.
   *
   * @throws ListenException if it cannot be had
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
      LockSupport.parkNanos(LOOK_PERIOD.toNanos());
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

  /** Asks whoever holds the port to leave; false if nobody there would. */
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

  /** The port is held from now on. */
  void leaveWhenAsked(Runnable leave) {
    Thread thread = new Thread(() -> watch(leave), "signpost");
    thread.setDaemon(true);
    thread.start();
  }

  private void watch(Runnable leave) {
    try {
      while (!closed.await(LOOK_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        if (Files.notExists(mark)) {
          leave.run();
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** It is not held any more, or never was; a file that somebody else made stays. */
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
