package io.lazuli.server.account;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the accounts file once a period, on a thread of its own, and hands over what it holds
 * when it has changed. A file that is broken or gone changes nothing: the last good one counts, and
 * the log says once what is wrong.
 */
public final class AccountWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AccountWatch.class);

  private final AccountFile file;
  private final Consumer<AccountSet> changed;
  private final AccountDrops drops;
  private final Duration period;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "accounts");

  private AccountSet current;
  private AccountFile.Stamp seen;
  private boolean present;
  private @Nullable String complaint;

  private AccountWatch(
      AccountFile file, Consumer<AccountSet> changed, AccountDrops drops, Duration period) {
    this.file = file;
    this.changed = changed;
    this.drops = drops;
    this.period = period;
    // Before the content, so that a change between the two is seen at the next look.
    this.seen = file.stamp();
    AccountSet read = file.readIfThere();
    this.present = read != null;
    this.current = read == null ? AccountSet.EMPTY : read;
  }

  /**
   * Reads the file, and begins to watch it. The first content is handed over before this returns.
   *
   * @throws AccountFileException if the file is refused
   */
  public static AccountWatch start(
      AccountFile file, Consumer<AccountSet> changed, AccountDrops drops, Duration period) {
    AccountWatch watch = new AccountWatch(file, changed, drops, period);
    changed.accept(watch.current);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void run() {
    try {
      do {
        tick();
      } while (!closed.await(period.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void tick() {
    try {
      look();
      drops.step(current);
      complaint = null;
    } catch (AccountFileException e) {
      complain(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // The root of the thread: whatever it was, the next look comes.
      complain("removed accounts cannot be dropped now: " + e);
    }
  }

  /** After a complaint it looks again also if the file seems the same: its rights may not be. */
  private void look() {
    AccountFile.Stamp now = file.stamp();
    if (now.equals(seen) && complaint == null) {
      return;
    }
    AccountSet read = file.readIfThere();
    if (present && read == null) {
      throw new AccountFileException("the accounts file " + file.path() + " is gone");
    }
    seen = now;
    present = read != null;
    current = read == null ? AccountSet.EMPTY : read;
    changed.accept(current);
  }

  private void complain(String what) {
    if (!what.equals(complaint)) {
      LOG.warn("{}; the accounts stay as they were", what);
    }
    complaint = what;
  }

  /** Lets a look that has begun finish, for a bounded time. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
