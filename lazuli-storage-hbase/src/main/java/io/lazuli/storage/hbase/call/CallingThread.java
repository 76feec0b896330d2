package io.lazuli.storage.hbase.call;

import io.lazuli.storage.hbase.call.RegionServers.Server;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A thread that asks region servers. It has a place with the one that it waits for, over all its
 * attempts and the rests between them, until that one answers, another is asked, or the thread
 * gives up. Mutable; belongs to its thread, but an answer may free the place from anywhere.
 */
public final class CallingThread {
  private static final ThreadLocal<CallingThread> CURRENT =
      ThreadLocal.withInitial(() -> new CallingThread(WorkerKind.CALLERS));

  private final WorkerKind kind;
  private final AtomicReference<@Nullable Server> slot = new AtomicReference<>();

  /** Attempts inside of attempts: what became of a commit is looked up while it is repeated. */
  private int depth;

  CallingThread(WorkerKind kind) {
    this.kind = kind;
  }

  /** The calling thread. */
  public static CallingThread current() {
    return CURRENT.get();
  }

  /** From now on the calling thread is one of that crew. */
  public static void setKind(WorkerKind kind) {
    CURRENT.set(new CallingThread(kind));
  }

  WorkerKind kind() {
    return kind;
  }

  /** Begins attempts at one thing; to be ended by {@link #end}. */
  public void begin() {
    depth++;
  }

  /** Ends attempts: what is left of a place when the outermost ones end is given back. */
  public void end() {
    depth--;
    if (depth == 0) {
      releaseSlot();
    }
  }

  /** Takes a place with a server, and gives back the one that it had elsewhere; false if full. */
  boolean acquireSlot(Server server, long now) {
    Server before = slot.getAndSet(null);
    if (before != null && before != server) {
      before.releaseSlot(kind);
    }
    boolean acquired = server.acquireSlot(kind, before == server, now);
    if (acquired) {
      slot.set(server);
    }
    return acquired;
  }

  /** Gives back the place with that server, if it is there. */
  void releaseSlot(Server server) {
    if (slot.compareAndSet(server, null)) {
      server.releaseSlot(kind);
    }
  }

  private void releaseSlot() {
    Server before = slot.getAndSet(null);
    if (before != null) {
      before.releaseSlot(kind);
    }
  }
}
