package io.lazuli.cluster.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The cores of a machine, which several processes may share. A process that has a core keeps it
 * while it has work, for a slice of the kernel at most; then it is the turn of the process that has
 * waited longest. Used by one thread.
 */
final class Machine {
  private final Events events;
  private final long slice;

  /** What waits, by process, in the order of their turns. */
  private final Map<Object, Deque<Work>> waiting = new LinkedHashMap<>();

  private int free;

  /**
   * @param slice how long a process keeps a core if others wait for it, in nanoseconds
   */
  Machine(Events events, int cores, long slice) {
    this.events = events;
    this.free = cores;
    this.slice = slice;
  }

  /** The core that a process has. */
  record Core(Object process, long sliceEnd) {}

  /** What a process does with a core. */
  interface Work {
    void begin(Core core);
  }

  /** Does something as soon as a core is free, which it then has. */
  void take(Object process, Work work) {
    if (free > 0) {
      free--;
      work.begin(new Core(process, events.now() + slice));
      return;
    }
    waiting.computeIfAbsent(process, first -> new ArrayDeque<>()).add(work);
  }

  /** Gives a core back. */
  void giveBack(Core core) {
    Deque<Work> own = waiting.get(core.process);
    if (own != null && events.now() < core.sliceEnd) {
      next(core, own);
    } else if (waiting.isEmpty()) {
      free++;
    } else {
      Map.Entry<Object, Deque<Work>> first = waiting.entrySet().iterator().next();
      Object process = first.getKey();
      Deque<Work> works = first.getValue();
      // Its other threads wait for their turn.
      waiting.remove(process);
      waiting.put(process, works);
      next(new Core(process, events.now() + slice), works);
    }
  }

  private void next(Core core, Deque<Work> works) {
    Work next = works.remove();
    if (works.isEmpty()) {
      waiting.remove(core.process);
    }
    next.begin(core);
  }
}
