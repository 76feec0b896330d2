package io.lazuli.storage.hbase.call;

import io.lazuli.storage.hbase.call.RegionServers.Server;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A thread that calls region servers. It holds a slot of the server that it waits for, through all
 * its attempts and the pauses between them. It releases the slot when the server answers, when it
 * calls another server, or when it gives up. Mutable and owned by its thread, but any thread that
 * receives an answer may release the slot.
 */
public final class CallingThread {
  private static final ThreadLocal<CallingThread> CURRENT =
      ThreadLocal.withInitial(() -> new CallingThread(WorkerKind.CALLERS));

  private final WorkerKind kind;
  private final AtomicReference<@Nullable Server> slot = new AtomicReference<>();

  /**
   * The number of nested series of attempts. They are nested because a repeated commit reads rows
   * to find out whether the last attempt took place.
   */
  private int depth;

  CallingThread(WorkerKind kind) {
    this.kind = kind;
  }

  /** Returns the object that belongs to the current thread. */
  public static CallingThread current() {
    return CURRENT.get();
  }

  /** Declares which kind of worker the current thread is. */
  public static void setKind(WorkerKind kind) {
    CURRENT.set(new CallingThread(kind));
  }

  WorkerKind kind() {
    return kind;
  }

  /** Begins a series of attempts, which {@link #end} ends. */
  public void begin() {
    depth++;
  }

  /** Ends a series of attempts. The end of the outermost series releases the slot. */
  public void end() {
    depth--;
    if (depth == 0) {
      releaseSlot();
    }
  }

  /**
   * Acquires a slot of a server, after releasing the slot of another server if the thread holds
   * one.
   *
   * @return false if the server has no free slot
   */
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

  /** Releases the slot of the given server, if the thread holds one. */
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
