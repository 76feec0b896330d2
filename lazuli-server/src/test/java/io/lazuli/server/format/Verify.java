package io.lazuli.server.format;

import io.lazuli.server.check.Finding;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.server.engine.Engines;
import io.lazuli.server.scrub.StoreWalk;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StoreReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code lazuli verify} without its command line. */
final class Verify {
  private Verify() {}

  /** Returns the damage of a data folder, a line each. */
  static List<String> run(Path folder) {
    StoreConfig config =
        ServerConfig.builder().dataFolder(folder).memoryBytes(32 << 20).build().store();
    List<String> damage = new ArrayList<>();
    try {
      StoreReport report = Engines.verify(config);
      report.damage().forEach(each -> damage.add(each.toString()));
      try (StorageEngine engine = Engines.openToRead(config)) {
        StoreWalk walk = new StoreWalk(engine, (Finding each) -> damage.add(each.line()));
        while (report.damage().isEmpty() && !walk.isDone()) {
          long unused = walk.step();
        }
      }
    } catch (EngineOpenException e) {
      damage.add(String.valueOf(e.getMessage()));
    }
    return damage;
  }
}
