package io.lazuli.server.config;

import io.lazuli.server.ServerConfig;
import io.lazuli.server.TlsFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A {@link Launch} in the making. Mutable; belongs to the {@link Configuration} that fills it. */
final class Draft {
  final ServerConfig.Builder server = ServerConfig.builder();
  private String host = server.build().tableHost();
  @Nullable String engine;
  boolean inMemory;
  LogLevel logLevel = LogLevel.INFO;
  @Nullable Path logFile;
  boolean accessLog;
  @Nullable Path tlsCertificate;
  @Nullable Path tlsKey;
  @Nullable String tlsPassword;

  void host(String name) {
    host = name;
    server.host(name);
  }

  /**
   * @throws ConfigException if settings do not go together
   */
  Launch build() {
    chooseEngine();
    if (tlsCertificate != null) {
      server.tls(new TlsFiles(tlsCertificate, tlsKey, tlsPassword));
    } else if (tlsKey != null || tlsPassword != null) {
      throw new ConfigException("tls-key and tls-password need a tls-cert");
    }
    return new Launch(server.build(), host, logLevel, logFile, accessLog);
  }

  private void chooseEngine() {
    if (inMemory && engine != null && !engine.equals("memory")) {
      throw new ConfigException("in-memory and the engine " + engine + " do not go together");
    }
    if (inMemory) {
      server.engine("memory");
    } else if (engine != null) {
      server.engine(engine);
      // Where the start script has built it; elsewhere its jars lie beside the server's.
      String folder = System.getProperty("lazuli.engine." + engine);
      if (folder != null) {
        server.engineFolder(Path.of(folder));
      }
    }
  }
}
