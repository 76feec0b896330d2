package io.lazuli.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What {@code /health} reports about one server. All threads may use it. */
final class ServerHealth {
  private static final Logger LOG = LoggerFactory.getLogger(ServerHealth.class);

  private static final String OUT_OF_MEMORY = "the process ran out of memory; restart the server";

  private final List<Supplier<String>> troubles = new CopyOnWriteArrayList<>();
  private volatile boolean serving;
  private volatile String failure = "";

  /** Adds a source of lines; an empty line means no trouble. */
  void add(Supplier<String> trouble) {
    troubles.add(trouble);
  }

  /** Returns the current line of every source. */
  List<String> troubles() {
    return troubles.stream().map(Supplier::get).toList();
  }

  /** Returns the number of sources that report a trouble. */
  long troubleCount() {
    return troubles.stream().filter(trouble -> !trouble.get().isEmpty()).count();
  }

  /** Returns whether the server accepts requests. */
  boolean isServing() {
    return serving;
  }

  void serving(boolean now) {
    serving = now;
  }

  /** Returns why the server must be restarted; empty if it works. */
  String failure() {
    return failure;
  }

  /**
   * Marks the server as failed. The error may have hit any part of it, so only a restart helps. The
   * process goes on: it may belong to an application or to a test.
   */
  void outOfMemory(OutOfMemoryError error) {
    boolean first = failure.isEmpty();
    failure = OUT_OF_MEMORY;
    if (first) {
      LOG.error("the server ran out of memory and must be restarted", error);
    }
  }
}
