package io.lazuli.server.cli;

import io.lazuli.server.config.ConfigException;
import io.lazuli.server.config.Configuration;
import io.lazuli.server.config.Given;
import io.lazuli.server.config.Setting;
import io.lazuli.server.config.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The options of the commands that run a server: one for each setting, and one for the
 * configuration file.
 */
final class SettingOptions {
  private static final String CONFIG = "--config";

  private SettingOptions() {}

  static void addTo(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder(CONFIG)
            .paramLabel("FILE")
            .type(Path.class)
            .description(
                "The configuration file: lines key = value, keys are these options without --.",
                "Default: lazuli.properties in the data folder, if it exists")
            .build());
    for (Setting setting : Settings.ALL) {
      spec.addOption(option(setting));
    }
  }

  private static OptionSpec option(Setting setting) {
    String standard = setting.standard();
    String note = standard == null ? "" : " Default: " + standard;
    OptionSpec.Builder option = OptionSpec.builder(setting.option());
    // A list may also be given by several options.
    option = setting.isList() ? option.type(List.class) : option.type(String.class);
    return option
        .auxiliaryTypes(String.class)
        .paramLabel(setting.label())
        .arity(setting.isSwitch() ? "0..1" : "1")
        .fallbackValue(setting.isSwitch() ? "true" : "")
        .description((setting.description() + note).replace("%", "%%"))
        .build();
  }

  /**
   * Returns the effective configuration, including the options of the command.
   *
   * @throws ParameterException if a setting is invalid
   */
  static Configuration read(CommandSpec spec, Map<String, String> environment) {
    ParseResult parsed = spec.commandLine().getParseResult();
    Map<String, Given> options = new LinkedHashMap<>();
    for (Setting setting : Settings.ALL) {
      if (parsed.hasMatchedOption(setting.option())) {
        String text =
            setting.isList()
                ? String.join(",", parsed.matchedOptionValue(setting.option(), List.<String>of()))
                : parsed.matchedOptionValue(setting.option(), "");
        options.put(setting.key(), new Given(text, setting.option()));
      }
    }
    @Nullable Path file = parsed.matchedOptionValue(CONFIG, null);
    try {
      return Configuration.read(options, file, environment, Map.of());
    } catch (ConfigException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
    }
  }
}
