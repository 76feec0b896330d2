package io.lazuli.storage.rocksdb.chunk;

import io.lazuli.storage.ChunkRef;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what is wrong with chunks: the damaged ones, until they are deleted, and the reason why
 * files cannot be opened or written, until that works again. Thread-safe.
 */
final class ChunkHealth {
  /** The maximum number of damaged chunks that are remembered. More are counted only. */
  static final int KNOWN_MAX = 1_000;

  private final Map<ChunkRef, String> damaged = new ConcurrentHashMap<>();
  private final AtomicLong found = new AtomicLong();
  private volatile @Nullable String trouble;

  /** Notes a damaged chunk. */
  void damaged(ChunkRef ref, String message) {
    found.incrementAndGet();
    if (damaged.size() < KNOWN_MAX) {
      damaged.put(ref, message);
    }
  }

  void deleted(List<ChunkRef> refs) {
    refs.forEach(damaged::remove);
  }

  /** Notes that files cannot be opened or written. */
  void failed(String message) {
    trouble = message;
  }

  /** Notes that a file was opened and written. */
  void worked() {
    if (trouble != null) {
      trouble = null;
    }
  }

  boolean hasTrouble() {
    return trouble != null;
  }

  /** Returns how often damage was found since the start. */
  long found() {
    return found.get();
  }

  /** Returns one line for an operator; empty if nothing is wrong. */
  String fault() {
    String writing = trouble;
    String first = damaged.values().stream().findFirst().orElse("");
    if (first.isEmpty()) {
      return writing == null ? "" : writing;
    }
    String reading =
        "%d damaged chunks, found %d times: %s".formatted(damaged.size(), found.get(), first);
    return writing == null ? reading : writing + "; " + reading;
  }
}
