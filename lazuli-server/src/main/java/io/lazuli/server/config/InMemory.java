package io.lazuli.server.config;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The setting {@code in-memory}, which is another way to name an engine. It has the precedence of
 * the source that sets it: as an option, for example, it overrides an engine that the file names,
 * and vice versa.
 */
final class InMemory {
  static final String ENGINE = "engine";

  private InMemory() {}

  /**
   * Returns the settings of one source, with the engine in place of {@code in-memory}.
   *
   * @param below the settings of the sources that this one overrides
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
      throw new ConfigException(inMemory.origin() + " contradicts the engine " + before);
    }
    named.put(ENGINE, new Given(draft.engine, inMemory.origin()));
    return named;
  }
}
