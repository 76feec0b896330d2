package io.lazuli.storage.thread;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reports that the process has run out of memory, on the heap or for direct buffers. Every place
 * where a failure ends passes it to {@link #check}: the root of a thread, the top of the pipeline,
 * and the handlers of event loops. The parts that have registered a reaction are then called. The
 * memory belongs to the whole process, so the reactions do too.
 *
 * <p>{@link #check} allocates nothing, because there may be nothing left to allocate. Thread-safe.
 */
public final class OutOfMemory {
  /** The number of causes that are examined. A chain of causes may be a circle. */
  private static final int CAUSES_MAX = 16;

  /** What a part does when memory has run out. */
  @FunctionalInterface
  public interface Reaction {
    /** Runs on the thread that reports the error, possibly several times. Must not need memory. */
    void outOfMemory(OutOfMemoryError error);
  }

  private static volatile Reaction[] reactions = {};

  private OutOfMemory() {}

  /**
   * Registers a reaction.
   *
   * @return an action that removes the reaction
   */
  public static Runnable onError(Reaction reaction) {
    synchronized (OutOfMemory.class) {
      Reaction[] more = Arrays.copyOf(reactions, reactions.length + 1);
      more[reactions.length] = reaction;
      reactions = more;
    }
    return () -> remove(reaction);
  }

  private static void remove(Reaction reaction) {
    synchronized (OutOfMemory.class) {
      reactions = Arrays.stream(reactions).filter(one -> one != reaction).toArray(Reaction[]::new);
    }
  }

  /**
   * Calls the reactions if the failure is an {@link OutOfMemoryError} or was caused by one. The
   * errors of direct memory, Netty's and the JDK's, are of that type.
   */
  public static void check(@Nullable Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < CAUSES_MAX; i++) {
      if (cause instanceof OutOfMemoryError error) {
        report(error);
        return;
      }
      cause = cause.getCause();
    }
  }

  private static void report(OutOfMemoryError error) {
    Reaction[] all = reactions;
    for (int i = 0; i < all.length; i++) {
      try {
        all[i].outOfMemory(error);
      } catch (Throwable e) {
        // This reaction needs more memory than there is. The others still run.
      }
    }
  }
}
