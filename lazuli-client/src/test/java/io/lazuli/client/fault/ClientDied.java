package io.lazuli.client.fault;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The error of every request of a client from the moment at which it was cut. */
public final class ClientDied extends RuntimeException {
  private static final long serialVersionUID = 1;

  ClientDied() {
    super("the client was cut");
  }

  /** Returns whether the death of a client caused this failure. */
  public static boolean caused(Throwable failure) {
    Deque<Throwable> open = new ArrayDeque<>();
    open.add(failure);
    while (!open.isEmpty()) {
      Throwable next = open.pop();
      if (next instanceof ClientDied) {
        return true;
      }
      if (next.getCause() != null) {
        open.add(next.getCause());
      }
      open.addAll(List.of(next.getSuppressed()));
    }
    return false;
  }
}
