package io.lazuli.server.cli;

import io.lazuli.server.config.Given;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.config.Settings;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Translates Azurite's options and variables into Lazuli's settings. */
final class AzuriteSettings {
  /**
   * The data folder inside Azurite's folder, so that the files do not mix. {@code serve} uses the
   * same name.
   */
  private static final String FOLDER = "lazuli-data";

  private static final String ORIGIN = "lazuli azurite";

  private final Set<ServiceName> services;
  private final AzuriteArguments given;
  private final Map<String, String> environment;

  AzuriteSettings(
      Set<ServiceName> services, AzuriteArguments given, Map<String, String> environment) {
    this.services = services;
    this.given = given;
    this.environment = environment;
  }

  /**
   * Returns the message for options that Azurite refuses too, or that Lazuli does not have; null if
   * there are none.
   */
  @Nullable String refusal() {
    for (AzuriteOption option : given.values().keySet()) {
      if (option.takesValue() && value(option).isEmpty()) {
        return option == AzuriteOption.DEBUG
            ? "Must provide a debug log file path for parameter -d or --debug"
            : "The " + option + " option needs a value.";
      }
    }
    if (given.has(AzuriteOption.IN_MEMORY) && given.has(AzuriteOption.LOCATION)) {
      return "The --inMemoryPersistence option is not supported when the --location option is set.";
    }
    if (given.has(AzuriteOption.MEMORY_LIMIT) && !given.has(AzuriteOption.IN_MEMORY)) {
      return "The --extentMemoryLimit option is only supported when the --inMemoryPersistence"
          + " option is set.";
    }
    return null;
  }

  /** Returns the settings that options and variables gave, by key. */
  Map<String, Given> options() {
    Map<String, Given> options = new LinkedHashMap<>();
    for (AzuriteOption option : given.values().keySet()) {
      if (!option.setting().isEmpty()) {
        options.put(option.setting(), new Given(text(option), option.toString()));
      }
    }
    String accounts = environment.getOrDefault(AzuriteAccounts.VARIABLE, "");
    if (!accounts.isBlank()) {
      String proper = AzuriteAccounts.proper(accounts);
      options.put("account-keys", new Given(proper, AzuriteAccounts.VARIABLE));
    }
    return options;
  }

  private String text(AzuriteOption option) {
    return switch (option) {
      case LOCATION -> Path.of(value(option), FOLDER).toString();
      case IN_MEMORY -> "true";
      case PATH_STYLE, SILENT -> "false";
      case MEMORY_LIMIT -> wholeMebibytes(value(option));
      default -> value(option);
    };
  }

  /**
   * Rounds a limit up to whole MiB, because Azurite accepts fractions. Returns a text that is not a
   * valid number unchanged.
   */
  private static String wholeMebibytes(String text) {
    try {
      double number = Double.parseDouble(text);
      return number < 0 ? text : String.valueOf((long) Math.ceil(number));
    } catch (NumberFormatException e) {
      return text;
    }
  }

  private String value(AzuriteOption option) {
    return given.values().getOrDefault(option, "");
  }

  /**
   * Returns the defaults of this mode, by key. The admin port is a free one, because several
   * Azurites may run on one machine.
   */
  Map<String, Given> presets() {
    Map<String, Given> presets = new LinkedHashMap<>();
    presets.put("services", new Given(ServiceName.list(services), ORIGIN));
    presets.put("admin-port", new Given("0", ORIGIN));
    presets.put("allow-development-account", new Given("true", ORIGIN));
    presets.put("access-log", new Given("true", ORIGIN));
    if (given.has(AzuriteOption.IN_MEMORY)) {
      // This is more than any heap; the engine limits it to half of the heap.
      presets.put("memory", new Given(String.valueOf(Settings.MEBIBYTES_MAX), ORIGIN));
    }
    if (given.has(AzuriteOption.DEBUG)) {
      presets.put("log-level", new Given("debug", ORIGIN));
    }
    return presets;
  }

  boolean asksForMoreThan(long bytes) {
    if (!given.has(AzuriteOption.MEMORY_LIMIT)) {
      return false;
    }
    return Double.parseDouble(value(AzuriteOption.MEMORY_LIMIT)) * (1 << 20) > bytes;
  }

  /** Returns Azurite's own data folder. */
  Path location() {
    return Path.of(value(AzuriteOption.LOCATION));
  }

  /** Returns whether Azurite's folder contains its data. */
  boolean findsDataOfAzurite() {
    Path folder = location().toAbsolutePath();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "__azurite_db_*.json")) {
      return found.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }
}
