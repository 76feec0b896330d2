package io.lazuli.storage.entity;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The current record, as the nodes of a condition see it. The first node that asks for a property
 * starts one pass over the headers of the record, which finds the properties of all nodes. Mutable,
 * used by one thread; allocates nothing for a record.
 */
final class EntityView {
  private static final int ABSENT = -1;

  final ByteWindow partition = new ByteWindow();
  final ByteWindow row = new ByteWindow();

  private final EntityCursor cursor = new EntityCursor();

  /** The wanted names; the index of a name is its number. */
  private final byte[][] names;

  /** A hash table with the numbers of the names, −1 for a free slot; at most a quarter full. */
  private final int[] slots;

  /** For each wanted name, the mark of its property in the current record. */
  private final int[] marks;

  private boolean walked;

  private EntityView(byte[][] names) {
    this.names = names;
    this.marks = new int[names.length];
    this.slots = new int[Integer.highestOneBit(Math.max(names.length, 4)) * 8];
    Arrays.fill(slots, ABSENT);
    for (int i = 0; i < names.length; i++) {
      slots[freeSlot(names[i])] = i;
    }
  }

  /** Collects the names before the first record and gives each of them a number. */
  static final class Names {
    private final Map<ByteBuffer, Integer> numbers = new LinkedHashMap<>();

    int number(byte[] name) {
      return numbers.computeIfAbsent(ByteBuffer.wrap(name), added -> numbers.size());
    }

    EntityView view() {
      return new EntityView(
          numbers.keySet().stream().map(ByteBuffer::array).toArray(byte[][]::new));
    }
  }

  void show(byte[] array, int offset, int length) {
    cursor.reset(array, offset, length);
    walked = false;
  }

  /**
   * Moves the cursor to the property whose name has the given number. Returns false if the entity
   * does not have it.
   */
  boolean find(int number) {
    if (!walked) {
      walk();
      walked = true;
    }
    int mark = marks[number];
    if (mark == ABSENT) {
      return false;
    }
    cursor.moveTo(mark);
    return true;
  }

  EntityCursor cursor() {
    return cursor;
  }

  private void walk() {
    Arrays.fill(marks, ABSENT);
    int missing = marks.length;
    while (missing > 0 && cursor.next()) {
      int number = numberOfName();
      if (number != ABSENT) {
        marks[number] = cursor.mark();
        missing--;
      }
    }
  }

  private int numberOfName() {
    int slot = slot(cursor.array(), cursor.nameOffset(), cursor.nameLength());
    int number = slots[slot];
    while (number != ABSENT && !cursor.nameEquals(names[number])) {
      slot = slot + 1 & slots.length - 1;
      number = slots[slot];
    }
    return number;
  }

  private int freeSlot(byte[] name) {
    int slot = slot(name, 0, name.length);
    while (slots[slot] != ABSENT) {
      slot = slot + 1 & slots.length - 1;
    }
    return slot;
  }

  /**
   * Returns the first slot to try for a name. Hashes the length, the first and the last byte, which
   * distinguish most names of one entity.
   */
  private int slot(byte[] array, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int hash = length + 31 * (array[offset] + 31 * array[offset + length - 1]);
    return hash & slots.length - 1;
  }
}
