package io.lazuli.server.history;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.faults.LyingEngine;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;

/** Opens the default engine inside one that can be told to break a promise. */
public final class LyingEngineProvider implements StorageEngineProvider {
  /** The engine that was opened last. */
  static final AtomicReference<LyingEngine> LAST = new AtomicReference<>();

  @Override
  public String name() {
    return "lying";
  }

  @Override
  public StorageEngine open(EngineConfig config) {
    StorageEngineProvider real =
        ServiceLoader.load(StorageEngineProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.name().equals("rocksdb"))
            .findFirst()
            .orElseThrow();
    LyingEngine engine = new LyingEngine(real.open(config));
    LAST.set(engine);
    return engine;
  }
}
