package io.lazuli.storage.keys;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Encodes a partition and the home of its space as part of a record: the number of the space, then
 * home and partition, each preceded by its length in four bytes.
 */
public final class OwnerCodec {
  private static final int FIXED_BYTES = Long.BYTES + 2 * Integer.BYTES;

  private OwnerCodec() {}

  /** Returns the number of bytes that {@link #put} writes. */
  public static int length(Partition owner) {
    return FIXED_BYTES + owner.space().requireHome().name().length() + owner.name().length();
  }

  public static void put(Partition owner, ByteBuffer out) {
    out.putLong(owner.space().number());
    putBytes(owner.space().requireHome().name(), out);
    putBytes(owner.name(), out);
  }

  /**
   * Reads a partition that {@link #put} wrote.
   *
   * @throws BufferUnderflowException if the bytes end too early
   * @throws IllegalArgumentException if the bytes do not name a partition
   */
  public static Partition get(ByteBuffer in) {
    long number = in.getLong();
    Partition home = new Partition(Space.CATALOGUE, getBytes(in));
    return new Partition(new Space(number, home), getBytes(in));
  }

  private static void putBytes(Bytes bytes, ByteBuffer out) {
    out.putInt(bytes.length()).put(bytes.array());
  }

  private static Bytes getBytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] array = new byte[length];
    in.get(array);
    return Bytes.of(array);
  }
}
