package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * The commits of one region that wait while a call is under way there. The oldest one is always
 * part of the next call. No commit overtakes another one with which it must not share a call.
 * Mutable, used by one thread at a time.
 */
final class GatheredCommits {
  private final GatherRule rule;
  private final Deque<WaitingCommit> waiting = new ArrayDeque<>();
  private int underWay = 1;

  /** Begins with one call under way. */
  GatheredCommits(GatherRule rule) {
    this.rule = rule;
  }

  void add(WaitingCommit commit) {
    waiting.add(commit);
  }

  /** Counts one more call that is under way. */
  GatheredCommits begun() {
    underWay++;
    return this;
  }

  /** Ends a call. Returns the commits of the next one, which is under way then; may be empty. */
  List<WaitingCommit> ended() {
    underWay--;
    List<WaitingCommit> next = underWay == 0 ? take() : List.of();
    underWay += next.isEmpty() ? 0 : 1;
    return next;
  }

  /** Returns true if no call is under way. No commit waits then. */
  boolean isIdle() {
    return underWay == 0;
  }

  /** Removes the commits whose time is up. */
  List<WaitingCommit> takeLate() {
    List<WaitingCommit> late = new ArrayList<>();
    waiting.removeIf(each -> each.isLate() && late.add(each));
    return late;
  }

  private List<WaitingCommit> take() {
    List<WaitingCommit> taken = new ArrayList<>();
    Set<Bytes> seen = new HashSet<>();
    int rows = 0;
    long bytes = 0;
    Iterator<WaitingCommit> commits = waiting.iterator();
    // Looking at all commits would cost too much if most of them must not share a call.
    for (int i = 0; i < 2 * rule.commitsMax() && commits.hasNext(); i++) {
      WaitingCommit next = commits.next();
      boolean fits =
          taken.size() < rule.commitsMax()
              && rows + next.keys().size() <= rule.rowsMax()
              && bytes + next.bytes() <= rule.bytesMax();
      if (taken.isEmpty() || (fits && !rule.collide().test(seen, next.keys()))) {
        commits.remove();
        taken.add(next);
        rows += next.keys().size();
        bytes += next.bytes();
      }
      seen.addAll(next.keys());
    }
    return taken;
  }
}
