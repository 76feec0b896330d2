package io.lazuli.server;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.faults.ForwardingEngine;
import io.lazuli.storage.memory.InMemoryEngine;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An in-memory engine whose state is chosen by the name of its folder, and which is counted. A
 * folder named {@code in-use} cannot be opened, {@code broken} is read-only, {@code degraded} has a
 * fault, and the time of {@code clocked} stands still until a test changes it.
 */
public final class FixtureEngineProvider implements StorageEngineProvider {
  /** The number of engines that are open. */
  static final AtomicInteger OPEN = new AtomicInteger();

  /** The time of engines whose folder is named {@code clocked}, in ticks. */
  public static final AtomicLong CLOCK = new AtomicLong();

  @Override
  public String name() {
    return "fixture";
  }

  @Override
  public StorageEngine open(EngineConfig config) {
    if (config.folder().endsWith("in-use")) {
      throw new EngineOpenException("the data folder is used by another process", null);
    }
    OPEN.incrementAndGet();
    String fault = config.folder().endsWith("degraded") ? "nothing is freed" : "";
    EngineConfig used = config.folder().endsWith("clocked") ? config.withTicks(CLOCK::get) : config;
    return new Fixture(new InMemoryEngine(used), !config.folder().endsWith("broken"), fault);
  }

  private static final class Fixture extends ForwardingEngine {
    private final boolean writable;
    private final String fault;

    Fixture(StorageEngine store, boolean writable, String fault) {
      super(store);
      this.writable = writable;
      this.fault = fault;
    }

    @Override
    public EngineState state() {
      return new EngineState(writable, writable ? "" : "the log \"a\" cannot be written", fault);
    }

    @Override
    public void close() {
      super.close();
      OPEN.decrementAndGet();
    }
  }
}
