package io.lazuli.server.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Collects the parts of a {@link Launch}. Mutable; belongs to the {@link Configuration} that fills
 * it.
 */
final class Draft {
  final ServerConfig.Builder server = ServerConfig.builder();
  private String host = server.build().listeners().table().host();
  String engine = server.build().store().engine();
  LogLevel logLevel = LogLevel.INFO;
  LogFormat logFormat = LogFormat.TEXT;
  @Nullable Path logFile;
  boolean accessLog;
  Duration stopTimeMax = Limits.STOP_TIME_MAX;
  @Nullable Path tlsCertificate;
  @Nullable Path tlsKey;
  @Nullable String tlsPassword;

  void host(String name) {
    host = name;
    server.host(name);
  }

  /**
   * Switches to the in-memory engine. If {@code on} is false and that engine is set, switches back
   * to the default engine.
   */
  void inMemory(boolean on) {
    if (on || engine.equals("memory")) {
      engine = on ? "memory" : server.build().store().engine();
    }
  }

  /**
   * Returns all settings of the run.
   *
   * @throws ConfigException if settings contradict each other
   */
  Launch build() {
    chooseEngine();
    if (tlsCertificate != null) {
      server.tls(new TlsFiles(tlsCertificate, tlsKey, tlsPassword));
    } else if (tlsKey != null || tlsPassword != null) {
      throw new ConfigException("tls-key and tls-password need a tls-cert");
    }
    return new Launch(server.build(), host, logLevel, logFormat, logFile, accessLog, stopTimeMax);
  }

  private void chooseEngine() {
    server.engine(engine);
    // The start script passes the folder of an engine that it built. Otherwise the engine's jars
    // are next to the server's jar.
    String folder = System.getProperty("lazuli.engine." + engine);
    if (folder != null) {
      server.engineFolder(Path.of(folder));
    }
  }
}
