package io.lazuli.cluster.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where one Lazuli server believes regions to be, and its look-ups in {@code hbase:meta}. Requests
 * that need the same look-up share it. Used by one thread.
 */
final class LookUps {
  private final Lazuli lazuli;

  /** The regions that were looked up since the start, when all were known. */
  private final Map<Integer, Integer> found = new HashMap<>();

  private final Map<Integer, List<Runnable>> waiting = new HashMap<>();
  private final Deque<Integer> queue = new ArrayDeque<>();
  private int underWay;

  LookUps(Lazuli lazuli) {
    this.lazuli = lazuli;
  }

  /** Returns the server that is believed to have a region. */
  int serverOf(int region) {
    Integer known = found.get(region);
    return known == null ? lazuli.cluster().firstServerOf(region) : known;
  }

  /** Looks a region up, even if it is known, and then does something. */
  void find(int region, Runnable then) {
    List<Runnable> others = waiting.get(region);
    if (others != null) {
      others.add(then);
      return;
    }
    List<Runnable> all = new ArrayList<>();
    all.add(then);
    waiting.put(region, all);
    queue.add(region);
    next();
  }

  private void next() {
    while (underWay < Bounds.LOOK_UPS && !queue.isEmpty()) {
      underWay++;
      send(queue.removeFirst());
    }
  }

  private void send(int region) {
    long work = lazuli.cluster().scenario().costs().lookUp();
    Call call =
        new Call(
            work,
            0,
            work,
            false,
            () -> found(region),
            () -> lazuli.events().after(Bounds.LOOK_UP_PAUSE, () -> send(region)));
    lazuli
        .events()
        .after(lazuli.cluster().network(), () -> lazuli.cluster().metaServer().receive(call));
  }

  private void found(int region) {
    underWay--;
    lazuli.cluster().countLookUp();
    found.put(region, lazuli.cluster().serverOf(region));
    List<Runnable> all = waiting.remove(region);
    if (all != null) {
      all.forEach(Runnable::run);
    }
    next();
  }
}
