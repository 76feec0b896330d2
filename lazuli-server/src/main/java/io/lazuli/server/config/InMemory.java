package io.lazuli.server.config;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The setting {@code in-memory}, which is another way to name an engine: it counts where it stands,
 * so that an option, say, wins over an engine that a file names, and the other way round.
 */
final class InMemory {
  static final String ENGINE = "engine";

  private InMemory() {}

  /**
   * What one source sets, with the engine instead of {@code in-memory}.
   *
   * @param below what the sources set that this one wins over
   * @throws ConfigException if the source contradicts itself
   */
  static Map<String, Given> asEngine(Map<String, Given> source, Map<String, Given> below) {
    Map<String, Given> named = new LinkedHashMap<>(source);
    Given inMemory = named.remove(Settings.IN_MEMORY.key());
    if (inMemory == null) {
      return named;
    }
    Given own = source.get(ENGINE);
    Given other = own == null ? below.get(ENGINE) : own;
    Draft draft = new Draft();
    if (other != null) {
      draft.engine = other.text();
    }
    String before = draft.engine;
    Settings.IN_MEMORY.put(draft, inMemory);
    if (draft.engine.equals(before)) {
      return named;
    }
    if (own != null) {
      throw new ConfigException(
          inMemory.origin() + " and the engine " + before + " do not go together");
    }
    named.put(ENGINE, new Given(draft.engine, inMemory.origin()));
    return named;
  }
}
