package io.lazuli.server;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.faults.ForwardingEngine;
import io.lazuli.storage.memory.InMemoryEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An in-memory engine whose state is chosen by the name of its folder, and which is counted. A
 * folder named {@code in-use} cannot be opened, {@code broken} is read-only, {@code degraded} has a
 * fault, and the time of {@code clocked} stands still until a test changes it. {@code stuck} hangs
 * when it is closed, until {@link #UNSTUCK} is counted down. {@code hoarding} fills the heap as
 * soon as somebody asks for its state, and hides that.
 */
public final class FixtureEngineProvider implements StorageEngineProvider {
  /** The number of engines that are open. */
  static final AtomicInteger OPEN = new AtomicInteger();

  /** The time of engines whose folder is named {@code clocked}, in ticks. */
  public static final AtomicLong CLOCK = new AtomicLong();

  /** Lets the engines continue whose folder is named {@code stuck}. */
  static final CountDownLatch UNSTUCK = new CountDownLatch(1);

  private static final List<byte[]> HOARD = new ArrayList<>();

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
    boolean writable = !config.folder().endsWith("broken");
    String last = config.folder().getFileName().toString();
    return new Fixture(new InMemoryEngine(used), writable, fault, last);
  }

  private static void awaitUnstuck() {
    try {
      UNSTUCK.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Fills the heap. Swallows the error, as some libraries do. */
  private static void hoard() {
    for (int size = 1 << 20; size > 0; size /= 2) {
      try {
        while (true) {
          HOARD.add(new byte[size]);
        }
      } catch (OutOfMemoryError e) {
        // Smaller arrays may still fit.
      }
    }
  }

  private static final class Fixture extends ForwardingEngine {
    private final boolean writable;
    private final String fault;
    private final String folder;

    Fixture(StorageEngine store, boolean writable, String fault, String folder) {
      super(store);
      this.folder = folder;
      this.writable = writable;
      this.fault = fault;
    }

    @Override
    public EngineState state() {
      if (folder.equals("hoarding")) {
        new Thread(FixtureEngineProvider::hoard).start();
      }
      return new EngineState(writable, writable ? "" : "the log \"a\" cannot be written", fault);
    }

    @Override
    public void close() {
      if (folder.equals("stuck")) {
        awaitUnstuck();
      }
      super.close();
      OPEN.decrementAndGet();
    }
  }
}
