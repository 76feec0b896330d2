package io.lazuli.storage.history;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/**
 * An object that clients use at the same time: a partition, a queue or a blob. It takes a bounded
 * number of calls and is then checked, so that a run needs little memory however long it is.
 *
 * @param <C> the client
 */
public abstract class Target<C> {
  private int inside;
  private boolean closed;

  /** Makes the object ready for use. */
  public abstract void open(C client) throws IOException;

  /** Sends one or a few requests and records them. A lost answer is recorded, and not thrown. */
  public abstract void work(C client, int number, Random random);

  /** Returns true if it has taken all of its calls. */
  public abstract boolean isFull();

  /** Checks all calls. No call is under way, and none follows except by {@link #sweep}. */
  public abstract List<Violation> check(C client, int number);

  /** Looks at the object again at the end of the run, and checks that it is as it was left. */
  public abstract List<Violation> sweep(C client, int number);

  /** Returns the number of calls that were recorded. */
  public abstract long calls();

  /** Returns the number of operations that were recorded: each write of a batch is one. */
  public long operations() {
    return calls();
  }

  /** Returns the number of calls whose answer was lost. */
  public abstract long lost();

  /** Returns true if there were too many possible orders to check them. */
  public boolean isUndecided() {
    return false;
  }

  final synchronized boolean enter() {
    if (!closed) {
      inside++;
    }
    return !closed;
  }

  /** Lets nobody else in. Returns true for the first caller. */
  final synchronized boolean close() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Returns true if the caller was the last one inside. */
  final synchronized boolean leave() {
    inside--;
    return closed && inside == 0;
  }
}
