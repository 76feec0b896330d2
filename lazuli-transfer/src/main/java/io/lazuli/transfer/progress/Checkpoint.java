package io.lazuli.transfer.progress;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The position in an input before which everything is stored, while pieces of it are stored at the
 * same time and end in any order. Safe for use by several threads.
 */
public final class Checkpoint {
  /** The end of each piece that is under way or stored, by its number. */
  private record Piece(long end, long items, boolean stored) {}

  @GuardedBy("this")
  private final TreeMap<Long, Piece> pieces = new TreeMap<>();

  @GuardedBy("this")
  private long next;

  @GuardedBy("this")
  private long position;

  @GuardedBy("this")
  private long items;

  public Checkpoint(long position, long items) {
    this.position = position;
    this.items = items;
  }

  /** Adds a piece that ends at a position; returns its number. */
  public synchronized long start(long end, long count) {
    pieces.put(next, new Piece(end, count, false));
    return next++;
  }

  public synchronized void stored(long number) {
    Piece piece = pieces.get(number);
    if (piece == null) {
      throw new IllegalStateException("piece " + number);
    }
    pieces.put(number, new Piece(piece.end(), piece.items(), true));
    Piece first = first();
    while (first != null && first.stored()) {
      position = first.end();
      items += first.items();
      pieces.pollFirstEntry();
      first = first();
    }
  }

  @GuardedBy("this")
  private @Nullable Piece first() {
    return pieces.isEmpty() ? null : pieces.firstEntry().getValue();
  }

  public synchronized long position() {
    return position;
  }

  /** Returns the number of items before the position. */
  public synchronized long items() {
    return items;
  }
}
