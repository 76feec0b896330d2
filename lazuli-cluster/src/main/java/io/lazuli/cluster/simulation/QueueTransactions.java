package io.lazuli.cluster.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The transactions of one Lazuli server for one queue: one at a time, for all requests that have
 * gathered (decision 0081). Each reads rows and commits. Used by one thread.
 */
final class QueueTransactions {
  /** The rows that a message and its request read and write: the message, its two rows, a count. */
  private static final int ROWS = 4;

  private final Lazuli lazuli;
  private final int region;
  private final long partition;
  private List<Request> waiting = new ArrayList<>();
  private boolean underWay;

  QueueTransactions(Lazuli lazuli, int region, long partition) {
    this.lazuli = lazuli;
    this.region = region;
    this.partition = partition;
  }

  void submit(Request request) {
    waiting.add(request);
    if (!underWay) {
      next();
    }
  }

  private void next() {
    underWay = !waiting.isEmpty();
    if (underWay) {
      int count = Math.min(waiting.size(), Bounds.COMMIT_ROWS_TOGETHER / ROWS);
      List<Request> together = List.copyOf(waiting.subList(0, count));
      waiting = new ArrayList<>(waiting.subList(count, waiting.size()));
      lazuli.read(region, new Reading(together));
    } else {
      lazuli.forgetQueue(partition);
    }
  }

  /** The read of the rows that a transaction needs. */
  private final class Reading extends Step {
    private final List<Request> requests;

    Reading(List<Request> requests) {
      super(Kind.QUEUE, Table.QUEUES);
      this.requests = requests;
    }

    @Override
    long work() {
      return 0;
    }

    @Override
    int hotOperations() {
      return partition == 1 ? requests.size() : 0;
    }

    @Override
    int operations() {
      return requests.size();
    }

    @Override
    boolean isWrite() {
      return false;
    }

    @Override
    void answered() {
      long work = lazuli.cluster().scenario().costs().of(Kind.QUEUE).region();
      lazuli.commit(
          region,
          new RegionCommits.Commit(
              Kind.QUEUE,
              requests.size(),
              ROWS * requests.size(),
              work * requests.size(),
              partition == 1,
              () -> end(Request::answered),
              this::failed,
              this::refused));
    }

    @Override
    void failed() {
      end(Request::failed);
    }

    @Override
    void refused() {
      end(Request::refused);
    }

    private void end(Consumer<Request> how) {
      next();
      requests.forEach(how);
    }
  }
}
