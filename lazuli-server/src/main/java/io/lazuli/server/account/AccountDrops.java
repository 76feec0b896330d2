package io.lazuli.server.account;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.watch.RefusedFileException;
import io.lazuli.server.watch.WatchException;
import io.lazuli.storage.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Drops the data of accounts that are marked for it, in all services. The mark is removed last, so
 * a drop that a crash interrupts continues at the next start. Owned by one thread.
 *
 * <p>A request that was accepted before the account was removed may still create something after
 * the drop. The mark therefore stays until every such request has ended, on every server that
 * shares the file, and the last round finds nothing.
 *
 * <p>An account with data that must not be removed, such as blobs under a legal hold, stays as a
 * whole, and so does its mark. It is dropped once nothing is protected any more.
 */
public final class AccountDrops {
  /** The time after which the data of an account is searched again for what must be kept. */
  private static final Duration BETWEEN_SEARCHES = Duration.ofMinutes(1);

  private static final int NAMES_PER_ROUND = 256;

  /**
   * The maximum number of rounds in one step, so that a large account does not keep the thread from
   * reading the file.
   */
  private static final int ROUNDS_MAX = 16;

  private static final Duration ROUND_TIME_MAX = Duration.ofSeconds(30);
  private static final Duration SEARCH_TIME_MAX = Duration.ofMinutes(5);

  private final AccountFile file;
  private final Catalog catalog;
  private final ProtectedData protectedData;
  private final Duration settle;
  private final LongSupplier nanoTime;
  private final Map<String, Long> seenSince = new HashMap<>();

  /** The accounts that had protected data, and when they were searched. */
  private final Map<String, Long> keptSince = new HashMap<>();

  /**
   * @param settle the time after which no request runs that began before the account was removed
   */
  public AccountDrops(
      AccountFile file,
      Catalog catalog,
      ProtectedData protectedData,
      Duration settle,
      LongSupplier nanoTime) {
    this.file = file;
    this.catalog = catalog;
    this.protectedData = protectedData;
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
    } catch (RefusedFileException e) {
      throw new WatchException(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      throw new WatchException("cannot drop removed accounts now: " + e, e);
    }
  }

  private void dropMarked(AccountSet set) throws WatchException {
    List<String> kept = new ArrayList<>();
    for (Account account : set.accounts()) {
      if (account.state() == Account.State.DROPPING) {
        String name = account.name();
        long since = seenSince.computeIfAbsent(name, known -> nanoTime.getAsLong());
        boolean settled = nanoTime.getAsLong() - since >= settle.toNanos();
        if (isKept(name, settled)) {
          kept.add(name);
        } else if (dropSome(name) && settled) {
          file.edit(now -> now.forgetDropped(name));
          seenSince.remove(name);
        }
      }
    }
    kept.removeIf(name -> !keptSince.containsKey(name));
    if (!kept.isEmpty()) {
      throw new WatchException(
          "the data of removed accounts is kept, because blobs have an immutability policy or a"
              + " legal hold: "
              + String.join(", ", kept));
    }
  }

  /**
   * Returns true if data of the account must stay for now. A request that was accepted before the
   * account was removed may still protect something, so the search waits until all have ended.
   */
  private boolean isKept(String account, boolean settled) {
    Long searched = keptSince.get(account);
    long now = nanoTime.getAsLong();
    if (searched != null && now - searched < BETWEEN_SEARCHES.toNanos()) {
      return true;
    }
    Deadline deadline = Deadline.after(SEARCH_TIME_MAX);
    if (!Futures.await(protectedData.mayExist(account, deadline))) {
      return false;
    } else if (!settled) {
      return true;
    }
    boolean kept = Futures.await(protectedData.exists(account, deadline));
    if (kept) {
      keptSince.put(account, now);
    } else {
      keptSince.remove(account);
    }
    return kept;
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
