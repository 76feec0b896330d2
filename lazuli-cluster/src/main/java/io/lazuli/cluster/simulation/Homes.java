package io.lazuli.cluster.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The leases that one Lazuli server has of the homes of accounts (decision 0018): an answer leaves
 * only while the lease of the account's home is valid. Used by one thread.
 */
final class Homes {
  private final Lazuli lazuli;

  /** When the read that granted each lease was sent. */
  private final long[] sent;

  private final boolean[] renewing;
  private final List<List<Runnable>> waiting = new ArrayList<>();

  Homes(Lazuli lazuli, int accounts) {
    this.lazuli = lazuli;
    this.sent = new long[accounts];
    this.renewing = new boolean[accounts];
    Arrays.fill(sent, -Bounds.LEASE);
    for (int account = 0; account < accounts; account++) {
      waiting.add(new ArrayList<>());
    }
  }

  /** Renews a lease if it has ended or will end soon. Nothing waits for it. */
  void prepare(int account) {
    if (!renewing[account] && lazuli.events().now() - sent[account] > Bounds.LEASE / 3) {
      renewing[account] = true;
      read(account, 0);
    }
  }

  /** Does something when the lease is valid. */
  void check(int account, Runnable then) {
    if (lazuli.events().now() - sent[account] < Bounds.LEASE) {
      then.run();
      return;
    }
    waiting.get(account).add(then);
    prepare(account);
  }

  private void read(int account, int attempt) {
    lazuli.read(
        lazuli.cluster().homeRegion(account), new Renewal(account, attempt, lazuli.events().now()));
  }

  private final class Renewal extends Step {
    private final int account;
    private final int attempt;
    private final long begin;

    Renewal(int account, int attempt, long begin) {
      super(Kind.GET, Table.CATALOG);
      this.account = account;
      this.attempt = attempt;
      this.begin = begin;
    }

    @Override
    long work() {
      return lazuli.cluster().scenario().costs().of(Kind.GET).region();
    }

    @Override
    int hotOperations() {
      return 0;
    }

    @Override
    int operations() {
      return 1;
    }

    @Override
    boolean isWrite() {
      return false;
    }

    @Override
    void answered() {
      sent[account] = begin;
      renewing[account] = false;
      List<Runnable> all = List.copyOf(waiting.get(account));
      waiting.get(account).clear();
      all.forEach(each -> check(account, each));
    }

    @Override
    void failed() {
      lazuli.retry(
          attempt + 1, lazuli.cluster().homeRegion(account), () -> read(account, attempt + 1));
    }

    @Override
    void refused() {
      failed();
    }
  }
}
