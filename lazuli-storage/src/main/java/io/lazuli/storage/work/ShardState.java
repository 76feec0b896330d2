package io.lazuli.storage.work;

import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a shard: who does it, and how far its round is. Times are ticks of the store.
 *
 * @param owner the session of the server that does it; 0 for nobody
 * @param began the begin of the round that is under way, or of the last one; 0 for none
 * @param completed the end of the last complete round; 0 for none
 * @param fullBegan the begin of the last round that read everything; 0 for none
 * @param losses the losses that were known at that begin
 * @param full true if the round that is under way reads everything
 * @param cursor where the round continues; null between two rounds
 */
record ShardState(
    long owner,
    long began,
    long completed,
    long fullBegan,
    long losses,
    boolean full,
    @Nullable Bytes cursor) {
  static final ShardState NEW = new ShardState(0, 0, 0, 0, 0, false, null);

  private static final byte VERSION = 1;
  private static final int UNDER_WAY = 1;
  private static final int FULL = 2;
  private static final int HEAD_BYTES = 2 + 5 * Long.BYTES;

  static ShardState decode(byte @Nullable [] value) {
    if (value == null || value.length < HEAD_BYTES || value[0] != VERSION) {
      return NEW;
    }
    ByteBuffer bytes = ByteBuffer.wrap(value).position(1);
    int flags = bytes.get();
    long owner = bytes.getLong();
    long began = bytes.getLong();
    long completed = bytes.getLong();
    long fullBegan = bytes.getLong();
    long losses = bytes.getLong();
    byte[] cursor = new byte[bytes.remaining()];
    bytes.get(cursor);
    return new ShardState(
        owner,
        began,
        completed,
        fullBegan,
        losses,
        (flags & FULL) != 0,
        (flags & UNDER_WAY) != 0 ? Bytes.of(cursor) : null);
  }

  byte[] encode() {
    Bytes at = cursor == null ? Bytes.EMPTY : cursor;
    int flags = (cursor == null ? 0 : UNDER_WAY) | (full ? FULL : 0);
    return ByteBuffer.allocate(HEAD_BYTES + at.length())
        .put(VERSION)
        .put((byte) flags)
        .putLong(owner)
        .putLong(began)
        .putLong(completed)
        .putLong(fullBegan)
        .putLong(losses)
        .put(at.array())
        .array();
  }

  boolean isUnderWay() {
    return cursor != null;
  }

  ShardState ownedBy(long session) {
    return new ShardState(session, began, completed, fullBegan, losses, full, cursor);
  }

  /** Returns the state at the begin of a round. */
  ShardState begun(long ticks, boolean isFull, long knownLosses) {
    return new ShardState(
        owner,
        ticks,
        completed,
        isFull ? ticks : fullBegan,
        isFull ? knownLosses : losses,
        isFull,
        Bytes.EMPTY);
  }

  /** Returns the state after a piece; {@code next} is null after the last one. */
  ShardState after(@Nullable Bytes next, long ticks) {
    return new ShardState(
        owner,
        began,
        next == null ? ticks : completed,
        fullBegan,
        losses,
        next != null && full,
        next);
  }
}
