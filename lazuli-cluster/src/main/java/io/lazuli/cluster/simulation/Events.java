package io.lazuli.cluster.simulation;

import java.util.Arrays;

/**
 * The simulated clock, and what happens when. Events of the same nanosecond happen in the order in
 * which they were added, so a simulation depends on nothing but its input. Used by one thread.
 */
final class Events {
  private long[] times = new long[1 << 12];
  private long[] orders = new long[1 << 12];
  private Runnable[] actions = new Runnable[1 << 12];
  private int size;
  private long added;
  private long now;

  /** Returns the simulated time in nanoseconds since the beginning. */
  long now() {
    return now;
  }

  void after(long nanos, Runnable action) {
    at(now + nanos, action);
  }

  void at(long time, Runnable action) {
    if (time < now) {
      throw new IllegalArgumentException("the past does not change");
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      orders = Arrays.copyOf(orders, 2 * size);
      actions = Arrays.copyOf(actions, 2 * size);
    }
    long order = added++;
    int place = size++;
    while (place > 0) {
      int parent = (place - 1) >>> 1;
      if (times[parent] <= time) {
        break;
      }
      move(parent, place);
      place = parent;
    }
    set(place, time, order, action);
  }

  /** Runs all events up to a moment, which is the time afterwards. */
  void run(long until) {
    while (size > 0 && times[0] <= until) {
      now = times[0];
      Runnable action = actions[0];
      removeFirst();
      action.run();
    }
    now = Math.max(now, until);
  }

  private void removeFirst() {
    size--;
    long time = times[size];
    long order = orders[size];
    Runnable action = actions[size];
    int place = 0;
    for (int child = 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && isBefore(child + 1, times[child], orders[child])) {
        child++;
      }
      if (!isBefore(child, time, order)) {
        break;
      }
      move(child, place);
      place = child;
    }
    set(place, time, order, action);
  }

  private boolean isBefore(int place, long time, long order) {
    return times[place] < time || (times[place] == time && orders[place] < order);
  }

  private void move(int from, int to) {
    set(to, times[from], orders[from], actions[from]);
  }

  private void set(int place, long time, long order, Runnable action) {
    times[place] = time;
    orders[place] = order;
    actions[place] = action;
  }
}
