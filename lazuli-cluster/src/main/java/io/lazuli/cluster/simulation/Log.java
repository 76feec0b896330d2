package io.lazuli.cluster.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The log of a region server. One sync is under way at a time. All writes that come during a sync
 * share the next one. Used by one thread.
 */
final class Log {
  private final Events events;
  private final Consumer<Runnable> sync;
  private final Usage usage;
  private List<Runnable> waiting = new ArrayList<>();
  private boolean underWay;
  private long syncs;
  private boolean stopped;

  /**
   * @param sync makes a sync, then runs what it gets
   */
  Log(Events events, Consumer<Runnable> sync) {
    this.events = events;
    this.sync = sync;
    this.usage = new Usage(events);
  }

  /** Does something when everything that was written so far is durable. */
  void sync(Runnable done) {
    waiting.add(done);
    if (!underWay) {
      begin();
    }
  }

  private void begin() {
    underWay = true;
    syncs++;
    List<Runnable> together = waiting;
    waiting = new ArrayList<>();
    long begin = events.now();
    sync.accept(
        () -> {
          if (stopped) {
            return;
          }
          usage.busy(events.now() - begin);
          underWay = false;
          together.forEach(Runnable::run);
          if (!waiting.isEmpty() && !underWay) {
            begin();
          }
        });
  }

  void stop() {
    stopped = true;
  }

  long syncs() {
    return syncs;
  }

  /** Returns the part of the time in which a sync was under way. */
  double utilisation() {
    return usage.utilisation(1);
  }

  void reset() {
    usage.reset();
    syncs = 0;
  }
}
