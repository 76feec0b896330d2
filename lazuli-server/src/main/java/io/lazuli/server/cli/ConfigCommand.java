package io.lazuli.server.cli;

import io.lazuli.server.config.Configuration;
import io.lazuli.server.config.Setting;
import io.lazuli.server.config.Settings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lazuli config}: prints the effective settings and the origin of each value. */
@Command(
    name = "config",
    description = {
      "Print the settings that lazuli serve would use, and where each value comes from.",
      "Passwords are masked."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    sortOptions = false)
final class ConfigCommand implements Runnable {
  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  ConfigCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public void run() {
    Configuration configuration = SettingOptions.read(spec, environment);
    PrintWriter out = spec.commandLine().getOut();
    Path file = configuration.file();
    out.println("file: " + (file == null ? "none" : file));
    for (Setting setting : Settings.ALL) {
      String value = setting.shown(configuration.launch());
      out.printf(
          "%-26s %-20s %s%n",
          setting.key(), value == null ? "-" : value, configuration.origin(setting));
    }
    out.flush();
  }
}
