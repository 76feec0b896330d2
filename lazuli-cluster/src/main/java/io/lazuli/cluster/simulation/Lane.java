package io.lazuli.cluster.simulation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one kind from one Lazuli server to one region server. The rules are those of {@code
 * CallLane} of the engine: a bounded number of batches is under way; a call goes out at once while
 * few rows are under way, otherwise with those that have gathered. Used by one thread.
 */
final class Lane {
  private final Lazuli lazuli;
  private final RegionServer server;
  private final int sentMax;
  private final int queuedMax;
  private final int rowsBound;
  private int rowsMax;
  private int batches;
  private int rowsSent;
  private int queued;
  private boolean sweeping;
  private @Nullable Step head;
  private @Nullable Step tail;
  private long fullSince = -1;
  private double fullNanos;

  /**
   * @param sentMax the number of batches under way
   * @param queuedMax the number of calls that wait
   * @param rowsBound the number of rows of a batch
   */
  Lane(Lazuli lazuli, RegionServer server, int sentMax, int queuedMax, int rowsBound) {
    this.lazuli = lazuli;
    this.server = server;
    this.sentMax = sentMax;
    this.queuedMax = queuedMax;
    this.rowsBound = rowsBound;
    this.rowsMax = Math.min(Bounds.ROWS_FIRST, rowsBound);
  }

  void submit(Step step) {
    step.since = now();
    step.next = null;
    Step last = tail;
    tail = step;
    if (last == null) {
      head = step;
    } else {
      last.next = step;
    }
    queued++;
    if (rowsSent < Bounds.ROWS_FEW || queued >= rowsMax || hasGathered(Bounds.GATHER)) {
      send(take());
    }
    if (queued > queuedMax) {
      removeLast().refused();
    }
    sweepLater();
  }

  private long now() {
    return lazuli.events().now();
  }

  private boolean hasGathered(long nanos) {
    return head != null && now() - head.since >= nanos;
  }

  private Step removeLast() {
    Step last = tail;
    Step before = null;
    for (Step each = head; each != last && each != null; each = each.next) {
      before = each;
    }
    tail = before;
    if (before == null) {
      head = null;
    } else {
      before.next = null;
    }
    queued--;
    if (last == null) {
      throw new IllegalStateException("nothing waits");
    }
    return last;
  }

  private List<Step> take() {
    Step first = head;
    if (first == null || batches >= sentMax) {
      return List.of();
    }
    List<Step> taken = new ArrayList<>();
    Step before = null;
    for (Step each = first; each != null && taken.size() < rowsMax; each = each.next) {
      if (each.table() == first.table()) {
        taken.add(each);
        if (before == null) {
          head = each.next;
        } else {
          before.next = each.next;
        }
        if (each == tail) {
          tail = before;
        }
      } else {
        before = each;
      }
    }
    queued -= taken.size();
    rowsSent += taken.size();
    batches++;
    if (batches == sentMax) {
      fullSince = now();
    }
    return taken;
  }

  private void send(List<Step> batch) {
    if (batch.isEmpty()) {
      return;
    }
    long begin = now();
    lazuli.call(
        server,
        batch,
        () -> {
          end(batch, begin);
          lazuli.answered(batch);
        },
        () -> {
          end(batch, begin);
          batch.forEach(Step::failed);
        });
  }

  private void end(List<Step> batch, long begin) {
    if (batches == sentMax) {
      fullNanos += now() - fullSince;
    }
    batches--;
    rowsSent -= batch.size();
    boolean slow = now() - begin > Bounds.SLOW_BATCH;
    rowsMax = slow ? Math.max(1, rowsMax / 2) : Math.min(rowsBound, rowsMax + 1);
    if (rowsSent < Bounds.ROWS_FEW || queued >= rowsMax || hasGathered(Bounds.GATHER)) {
      send(take());
    }
  }

  private void sweepLater() {
    if (queued > 0 && !sweeping) {
      sweeping = true;
      lazuli.events().after(Bounds.SWEEP, this::sweep);
    }
  }

  private void sweep() {
    sweeping = false;
    if (hasGathered(Bounds.SLOW_BATCH)) {
      rowsMax = Math.max(1, rowsMax / 2);
      send(take());
    }
    sweepLater();
  }

  /** Returns the part of a window in which as many batches were under way as there may be. */
  double fullPart(long windowNanos) {
    double now = batches == sentMax ? now() - fullSince : 0;
    return Math.min(1, (fullNanos + now) / windowNanos);
  }

  void reset() {
    fullNanos = 0;
    fullSince = now();
  }
}
