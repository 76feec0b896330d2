package io.lazuli.cluster.simulation;

/** How much a resource was used, and how long others waited for it, since the last reset. */
final class Usage {
  private final Events events;
  private long begin;
  private double busy;
  private double waited;
  private long started;
  private int waiting;
  private double area;
  private long changed;

  Usage(Events events) {
    this.events = events;
  }

  /** Counts one that begins to wait. */
  void waits() {
    change(1);
  }

  /** Counts one that waited and starts now. */
  void waited(long nanos) {
    change(-1);
    started(nanos);
  }

  /** Counts one that starts. */
  void started(long nanos) {
    started++;
    waited += nanos;
  }

  private void change(int by) {
    area += (double) waiting * (events.now() - changed);
    changed = events.now();
    waiting += by;
  }

  void busy(long nanos) {
    busy += nanos;
  }

  void forgetWaiting() {
    change(-waiting);
  }

  /** Returns the part of its time in which it was used, for a resource of some capacity. */
  double utilisation(double capacity) {
    return busy / Math.max(1, events.now() - begin) / capacity;
  }

  double meanWaitNanos() {
    return waited / Math.max(1, started);
  }

  /** Returns how many waited on average. */
  double meanWaiting() {
    change(0);
    return area / Math.max(1, events.now() - begin);
  }

  long started() {
    return started;
  }

  void reset() {
    change(0);
    begin = events.now();
    busy = 0;
    waited = 0;
    started = 0;
    area = 0;
  }
}
