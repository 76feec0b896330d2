package io.lazuli.server.cli;

import io.lazuli.server.config.Launch;
import io.lazuli.server.config.LogFormat;
import java.nio.file.Path;

/**
 * Configures logging through system properties. This must happen before the first logger is
 * created. If the property that names the configuration is already set, it takes precedence.
 */
final class Logging {
  private static final String CONFIGURATION = "logback.configurationFile";
  private static final String FOLDER = "io/lazuli/server/cli/";
  private static final String CONSOLE = FOLDER + "logback.xml";

  private Logging() {}

  static void begin() {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, CONSOLE);
    }
  }

  private static String configuration(LogFormat format, boolean toFile) {
    return switch (format) {
      case TEXT -> toFile ? "logback-file.xml" : "logback.xml";
      case JSON -> toFile ? "logback-json-file.xml" : "logback-json.xml";
    };
  }

  static void configure(Launch launch) {
    System.setProperty("lazuli.log.level", launch.logLevel().name());
    System.setProperty("lazuli.access.level", launch.accessLog() ? "DEBUG" : "OFF");
    if (!CONSOLE.equals(System.getProperty(CONFIGURATION))) {
      return;
    }
    Path file = launch.logFile();
    if (file != null) {
      System.setProperty("lazuli.log.file", file.toString());
    }
    System.setProperty(CONFIGURATION, FOLDER + configuration(launch.logFormat(), file != null));
  }
}
