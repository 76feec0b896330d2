package io.lazuli.client.table;

import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A name under which one change at a time marks entities. Names are used again when a change has
 * ended, so that the changes of one process replace each other's marks and the marks stay few.
 */
final class WriteSlot {
  /** The number of characters with which the mark of a slot begins. */
  static final int NAME_LENGTH = 8;

  private static final Deque<WriteSlot> FREE = new ConcurrentLinkedDeque<>();

  private final String name = UUID.randomUUID().toString().substring(0, NAME_LENGTH);
  private long changes;

  private WriteSlot() {}

  static WriteSlot take() {
    WriteSlot free = FREE.pollFirst();
    return free == null ? new WriteSlot() : free;
  }

  /** Puts the slot where the next change takes it. */
  void release() {
    FREE.addFirst(this);
  }

  /** Returns a mark that was never used before. Only the owner of the slot calls this. */
  String nextMark() {
    changes++;
    return name + Long.toString(changes, Character.MAX_RADIX);
  }
}
