package io.lazuli.cluster.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The commits of one Lazuli server to one region. One call is under way; the commits that come
 * during it share the next one, as in {@code CommitCalls} of the engine. Used by one thread.
 */
final class RegionCommits {
  private final Lazuli lazuli;
  private final Deque<Commit> waiting = new ArrayDeque<>();
  private boolean underWay;

  /**
   * A commit that waits.
   *
   * @param rows the number of rows that it reads and writes
   * @param work the processor time of the region server, without that of the call
   * @param isHot whether it is for the most used partition
   */
  record Commit(
      Kind kind,
      int operations,
      int rows,
      long work,
      boolean isHot,
      Runnable answered,
      Runnable failed,
      Runnable refused) {}

  RegionCommits(Lazuli lazuli) {
    this.lazuli = lazuli;
  }

  void submit(Commit commit, int region) {
    if (waiting.size() == Bounds.QUEUED) {
      commit.refused.run();
      return;
    }
    waiting.add(commit);
    if (!underWay) {
      next(region);
    }
  }

  private void next(int region) {
    List<Commit> together = new ArrayList<>();
    int rows = 0;
    while (!waiting.isEmpty()
        && (together.isEmpty()
            || (together.size() < Bounds.COMMITS_TOGETHER
                && rows + waiting.getFirst().rows <= Bounds.COMMIT_ROWS_TOGETHER))) {
      Commit commit = waiting.removeFirst();
      rows += commit.rows;
      together.add(commit);
    }
    underWay = !together.isEmpty();
    if (underWay) {
      lazuli.write(region, new CommitCall(together, region));
    } else {
      lazuli.forgetCommits(region);
    }
  }

  /** The commits of one call. */
  private final class CommitCall extends Step {
    private final List<Commit> commits;
    private final int region;

    CommitCall(List<Commit> commits, int region) {
      super(commits.get(0).kind, Table.DATA);
      this.commits = commits;
      this.region = region;
    }

    @Override
    long work() {
      long sum = 0;
      for (Commit commit : commits) {
        sum += commit.work;
      }
      return sum;
    }

    @Override
    int hotOperations() {
      return commits.stream().mapToInt(commit -> commit.isHot ? commit.operations : 0).sum();
    }

    @Override
    int operations() {
      return commits.stream().mapToInt(Commit::operations).sum();
    }

    @Override
    boolean isWrite() {
      return true;
    }

    @Override
    void answered() {
      next(region);
      commits.forEach(commit -> commit.answered.run());
    }

    @Override
    void failed() {
      next(region);
      commits.forEach(commit -> commit.failed.run());
    }

    @Override
    void refused() {
      next(region);
      commits.forEach(commit -> commit.refused.run());
    }
  }
}
