package io.lazuli.server;

import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageEngineProvider;
import io.lazuli.storage.faults.RemoteEngine;
import io.lazuli.storage.memory.InMemoryEngine;
import java.util.concurrent.atomic.AtomicReference;

/** Opens an in-memory engine that behaves like a remote one. */
public final class RemoteEngineProvider implements StorageEngineProvider {
  /** The engine that was opened last. */
  static final AtomicReference<RemoteEngine> LAST = new AtomicReference<>();

  @Override
  public String name() {
    return "distant";
  }

  @Override
  public StorageEngine open(EngineConfig config) {
    RemoteEngine engine = new RemoteEngine(new InMemoryEngine(config));
    LAST.set(engine);
    return engine;
  }
}
