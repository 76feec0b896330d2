package io.lazuli.server.account;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.watch.WatchException;
import io.lazuli.storage.Deadline;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Drops the data of accounts that are marked for it, in all services. The mark is removed last, so
 * a drop that a crash interrupts continues at the next start. Owned by one thread.
 *
 * <p>A request that was accepted before the account was removed may still create something after
 * the drop. The mark therefore stays until every such request has ended, on every server that
 * shares the file, and the last round finds nothing.
 */
public final class AccountDrops {
  private static final int NAMES_PER_ROUND = 256;

  /**
   * The maximum number of rounds in one step, so that a large account does not keep the thread from
   * reading the file.
   */
  private static final int ROUNDS_MAX = 16;

  private static final Duration ROUND_TIME_MAX = Duration.ofSeconds(30);

  private final AccountFile file;
  private final Catalog catalog;
  private final Duration settle;
  private final LongSupplier nanoTime;
  private final Map<String, Long> seenSince = new HashMap<>();

  /**
   * @param settle the time after which no request runs that began before the account was removed
   */
  public AccountDrops(AccountFile file, Catalog catalog, Duration settle, LongSupplier nanoTime) {
    this.file = file;
    this.catalog = catalog;
    this.settle = settle;
    this.nanoTime = nanoTime;
  }

  /**
   * Drops a bounded part of the data that is marked for dropping.
   *
   * @throws WatchException if the drop fails; the next step tries again
   */
  public void step(AccountSet set) throws WatchException {
    try {
      dropMarked(set);
    } catch (AccountFileException e) {
      throw new WatchException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      throw new WatchException("cannot drop removed accounts now: " + e, e);
    }
  }

  private void dropMarked(AccountSet set) {
    for (Account account : set.accounts()) {
      if (account.state() == Account.State.DROPPING) {
        long since = seenSince.computeIfAbsent(account.name(), name -> nanoTime.getAsLong());
        boolean settled = nanoTime.getAsLong() - since >= settle.toNanos();
        if (dropSome(account.name()) && settled) {
          file.edit(now -> now.forgetDropped(account.name()));
          seenSince.remove(account.name());
        }
      }
    }
  }

  /** Drops some data. Returns true if nothing is left. */
  private boolean dropSome(String account) {
    for (ServiceHome home : ServiceHome.all(account)) {
      int rounds = 0;
      while (!Futures.await(catalog.clear(home, NAMES_PER_ROUND, Deadline.after(ROUND_TIME_MAX)))) {
        if (++rounds == ROUNDS_MAX) {
          return false;
        }
      }
    }
    return true;
  }
}
