package io.lazuli.storage.engine;

import io.lazuli.storage.Space;
import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The recently dropped spaces. Each is remembered for at least 24 hours, longer than any request
 * can use a space that it looked up before the drop. Then it is forgotten, so that the set does not
 * grow without bound. Mutable: one thread (the lane) adds, any thread may query.
 */
public final class DroppedSpaces {
  /** The minimum time for which a drop is remembered. */
  public static final Duration REMEMBERED = Duration.ofHours(24);

  private record Drop(long space, long nanos) {}

  private final LongSupplier nanoTime;
  private final Set<Long> spaces = ConcurrentHashMap.newKeySet();

  /** The remembered drops, oldest first; used by the adding thread only. */
  private final Queue<Drop> order = new ArrayDeque<>();

  public DroppedSpaces() {
    this(System::nanoTime);
  }

  /** Makes an empty set with the given monotonic clock, for tests. */
  public DroppedSpaces(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Remembers a drop. Call this after the drop is committed and before it is acknowledged. */
  public void add(long space) {
    long now = nanoTime.getAsLong();
    if (spaces.add(space)) {
      order.add(new Drop(space, now));
    }
    for (Drop oldest = order.peek();
        oldest != null && now - oldest.nanos > REMEMBERED.toNanos();
        oldest = order.peek()) {
      spaces.remove(oldest.space);
      order.remove();
    }
  }

  public boolean contains(long space) {
    return spaces.contains(space);
  }

  /** Throws {@link StorageException.Kind#SPACE_GONE} if the space or its gate was dropped. */
  public void check(Space space) {
    if (spaces.contains(space.guard())) {
      throw gone();
    }
  }

  /** Returns the exception for a call on a dropped space. */
  public static StorageException gone() {
    return new StorageException(StorageException.Kind.SPACE_GONE, "the space was dropped");
  }
}
