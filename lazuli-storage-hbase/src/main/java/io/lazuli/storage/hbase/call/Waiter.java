package io.lazuli.storage.hbase.call;

import io.lazuli.storage.hbase.call.RegionServers.Server;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A thread that asks region servers. It has a place with the one that it waits for, over all its
 * attempts and the rests between them, until that one answers, another is asked, or the thread
 * gives up. Mutable; belongs to its thread, but an answer may free the place from anywhere.
 */
public final class Waiter {
  private static final ThreadLocal<Waiter> CURRENT =
      ThreadLocal.withInitial(() -> new Waiter(Crew.CALLERS));

  private final Crew crew;
  private final AtomicReference<@Nullable Server> place = new AtomicReference<>();

  /** Attempts inside of attempts: what became of a commit is looked up while it is repeated. */
  private int depth;

  Waiter(Crew crew) {
    this.crew = crew;
  }

  /** The calling thread. */
  public static Waiter current() {
    return CURRENT.get();
  }

  /** From now on the calling thread is one of that crew. */
  public static void join(Crew crew) {
    CURRENT.set(new Waiter(crew));
  }

  Crew crew() {
    return crew;
  }

  /** Begins attempts at one thing; to be ended by {@link #end}. */
  public void begin() {
    depth++;
  }

  /** Ends attempts: what is left of a place when the outermost ones end is given back. */
  public void end() {
    depth--;
    if (depth == 0) {
      leave();
    }
  }

  /** Takes a place with a server, and gives back the one that it had elsewhere; false if full. */
  boolean enter(Server server, long now) {
    Server before = place.getAndSet(null);
    if (before != null && before != server) {
      before.leave(crew);
    }
    boolean entered = server.enter(crew, before == server, now);
    if (entered) {
      place.set(server);
    }
    return entered;
  }

  /** Gives back the place with that server, if it is there. */
  void leave(Server server) {
    if (place.compareAndSet(server, null)) {
      server.leave(crew);
    }
  }

  private void leave() {
    Server before = place.getAndSet(null);
    if (before != null) {
      before.leave(crew);
    }
  }
}
