package io.lazuli.client.table;

import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Stream;

/**
 * A name under which one change at a time marks entities. Names are used again when a change has
 * ended, and each entity has a pool of names that it shares with few others. So the changes of one
 * process replace each other's marks: an entity gets as many marks as changes run at the same time.
 */
final class WriteSlot {
  /** The number of characters with which the mark of a slot begins. */
  static final int NAME_LENGTH = 8;

  private static final int POOLS = 256;
  private static final List<Deque<WriteSlot>> FREE =
      Stream.<Deque<WriteSlot>>generate(ConcurrentLinkedDeque::new).limit(POOLS).toList();

  private final String name = UUID.randomUUID().toString().substring(0, NAME_LENGTH);
  private final Deque<WriteSlot> pool;
  private long changes;

  private WriteSlot(Deque<WriteSlot> pool) {
    this.pool = pool;
  }

  static WriteSlot take(Object entity) {
    Deque<WriteSlot> pool = FREE.get(Math.floorMod(entity.hashCode(), POOLS));
    WriteSlot free = pool.pollFirst();
    return free == null ? new WriteSlot(pool) : free;
  }

  /** Puts the slot where the next change takes it. */
  void release() {
    pool.addFirst(this);
  }

  /** Returns a mark that was never used before. Only the owner of the slot calls this. */
  String nextMark() {
    changes++;
    return name + Long.toString(changes, Character.MAX_RADIX);
  }
}
