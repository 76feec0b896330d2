package io.lazuli.cluster.simulation;

import java.util.function.BiConsumer;

/** A request of a client, from its arrival at a Lazuli server until its answer leaves. */
final class Request extends Step {
  private final Lazuli lazuli;
  private final long partition;
  private final int region;
  private final int account;
  private final BiConsumer<Request, Boolean> ended;
  private final long came;
  private int attempt;

  /**
   * @param partition the rank of the partition, from 1
   * @param ended gets the request, and whether it was served
   */
  Request(
      Kind kind, Lazuli lazuli, long partition, int account, BiConsumer<Request, Boolean> ended) {
    super(kind, kind == Kind.QUEUE ? Table.QUEUES : Table.DATA);
    this.lazuli = lazuli;
    this.partition = partition;
    this.region = lazuli.cluster().regionOf(partition);
    this.account = account;
    this.ended = ended;
    this.came = lazuli.events().now();
  }

  /** Returns when it arrived. */
  long came() {
    return came;
  }

  /** Begins with the storage, after the request was decoded. */
  void begin() {
    lazuli.homes().prepare(account);
    dispatch();
  }

  private void dispatch() {
    switch (kind()) {
      case GET -> lazuli.read(region, this);
      case QUERY -> lazuli.readPage(region, this);
      case INSERT -> commit(1);
      case BATCH -> commit(Costs.BATCH_ROWS);
      case QUEUE -> lazuli.queue(partition, region).submit(this);
    }
  }

  private void commit(int rows) {
    lazuli.commit(
        region,
        new RegionCommits.Commit(
            kind(), 1, rows, work(), partition == 1, this::answered, this::failed, this::refused));
  }

  @Override
  long work() {
    return lazuli.cluster().scenario().costs().of(kind()).region();
  }

  @Override
  int hotOperations() {
    return partition == 1 ? 1 : 0;
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
    lazuli.homes().check(account, () -> lazuli.answer(this));
  }

  @Override
  void failed() {
    attempt++;
    if (lazuli.events().now() - came > Bounds.DEADLINE) {
      refused();
    } else {
      lazuli.retry(attempt, region, this::dispatch);
    }
  }

  @Override
  void refused() {
    ended.accept(this, false);
  }

  /** Sends the answer. */
  void end() {
    ended.accept(this, true);
  }
}
