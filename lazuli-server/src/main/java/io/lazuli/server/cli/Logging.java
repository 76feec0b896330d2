package io.lazuli.server.cli;

import io.lazuli.server.config.Launch;
import java.nio.file.Path;

/**
 * Configures logging through system properties. This must happen before the first logger is
 * created. If the property that names the configuration is already set, it takes precedence.
 */
final class Logging {
  private static final String CONFIGURATION = "logback.configurationFile";
  private static final String CONSOLE = "io/lazuli/server/cli/logback.xml";
  private static final String FILE = "io/lazuli/server/cli/logback-file.xml";

  private Logging() {}

  static void begin() {
    if (System.getProperty(CONFIGURATION) == null) {
      System.setProperty(CONFIGURATION, CONSOLE);
    }
  }

  static void configure(Launch launch) {
    System.setProperty("lazuli.log.level", launch.logLevel().name());
    System.setProperty("lazuli.access.level", launch.accessLog() ? "DEBUG" : "OFF");
    Path file = launch.logFile();
    if (file != null && CONSOLE.equals(System.getProperty(CONFIGURATION))) {
      System.setProperty(CONFIGURATION, FILE);
      System.setProperty("lazuli.log.file", file.toString());
    }
  }
}
