package io.lazuli.server.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effective settings of one run, and the origin of each value. Options override variables,
 * variables override the file, and the file overrides the defaults. Unknown names are refused.
 */
public final class Configuration {
  /** The origin of a default value. */
  public static final String DEFAULT = "default";

  private static final String FILE_NAME = "lazuli.properties";

  private final Map<String, Given> given;
  private final Launch launch;
  private final @Nullable Path file;

  private Configuration(Map<String, Given> given, @Nullable Path file) {
    this.given = given;
    this.launch = launch(given);
    this.file = file;
  }

  /**
   * Collects the effective settings.
   *
   * @param options the options, by key
   * @param named the file that an option names; null if there is none
   * @param presets the defaults of a command that differ from the general defaults, by key
   * @throws ConfigException if a setting is invalid
   */
  public static Configuration read(
      Map<String, Given> options,
      @Nullable Path named,
      Map<String, String> environment,
      Map<String, Given> presets) {
    Map<String, Given> variables = Variables.read(environment);
    Map<String, Given> without = merged(List.of(presets, variables, options));
    String variable = environment.getOrDefault(Variables.CONFIG, "");
    Path explicit = named == null && !variable.isEmpty() ? Path.of(variable) : named;
    Path file = explicit == null ? inDataFolder(without) : explicit;
    if (file == null) {
      return new Configuration(without, null);
    }
    Set<String> refused = explicit == null ? Set.of("data") : Set.of();
    Map<String, Given> lines = ConfigFile.read(file, refused);
    return new Configuration(merged(List.of(presets, lines, variables, options)), file);
  }

  /** Merges several sources. Each source overrides the sources before it. */
  private static Map<String, Given> merged(List<Map<String, Given>> sources) {
    Map<String, Given> all = new LinkedHashMap<>();
    for (Map<String, Given> source : sources) {
      all.putAll(InMemory.asEngine(source, all));
    }
    return all;
  }

  /**
   * Returns the configuration file in the data folder, if it exists. The in-memory engine has no
   * data folder, and files in any other folder do not apply to it.
   */
  private static @Nullable Path inDataFolder(Map<String, Given> given) {
    Map<String, Given> where = new LinkedHashMap<>(given);
    where.keySet().retainAll(Set.of("data", InMemory.ENGINE));
    StoreConfig store = launch(where).server().store();
    Path file = store.folder().resolve(FILE_NAME);
    return store.isInMemory() || !Files.exists(file) ? null : file;
  }

  private static Launch launch(Map<String, Given> given) {
    Draft draft = new Draft();
    for (Setting setting : Settings.ALL) {
      Given value = given.get(setting.key());
      if (value != null) {
        setting.put(draft, value);
      }
    }
    return draft.build();
  }

  public Launch launch() {
    return launch;
  }

  /** Returns the file that was read; null if there was none. */
  public @Nullable Path file() {
    return file;
  }

  /** Returns the origin of a setting's value. */
  public String origin(Setting setting) {
    Given value = given.getOrDefault(setting.key(), given.get(setting.otherwise()));
    return value == null ? DEFAULT : value.origin();
  }
}
