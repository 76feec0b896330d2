package io.lazuli.server.cli;

import io.lazuli.server.config.Configuration;
import io.lazuli.server.config.Given;
import io.lazuli.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that select the server of a command. Settings that the options leave out come from
 * the same sources as for {@code lazuli serve}: variables, the configuration file, the defaults.
 */
class ServerOptions {
  private final Map<String, Given> options = new HashMap<>();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The server's configuration file. Default: lazuli.properties in the data folder, if it"
              + " exists")
  private @Nullable Path file;

  ServerOptions() {}

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The server's data folder. Default: ./lazuli-data")
  final void data(String folder) {
    put("data", folder);
  }

  /** Stores the value that an option gives to a setting. */
  final void put(String key, String text) {
    options.put(key, new Given(text, "--" + key));
  }

  /** Returns whether an option gives a value to a setting. */
  final boolean isGiven(String key) {
    return options.containsKey(key);
  }

  /**
   * Returns the configuration of the server of a data folder.
   *
   * @param folder null if no parameter names the folder
   * @throws io.lazuli.server.config.ConfigException if a setting is invalid
   */
  final ServerConfig read(Map<String, String> environment, @Nullable String folder) {
    if (folder != null) {
      put("data", folder);
    }
    return read(environment);
  }

  /**
   * Returns the configuration of the server.
   *
   * @throws io.lazuli.server.config.ConfigException if a setting is invalid
   */
  final ServerConfig read(Map<String, String> environment) {
    return Configuration.read(options, file, environment, Map.of()).launch().server();
  }
}
