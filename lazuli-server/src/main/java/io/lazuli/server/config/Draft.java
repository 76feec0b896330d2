package io.lazuli.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A {@link Launch} in the making. Mutable; belongs to the {@link Configuration} that fills it. */
final class Draft {
  final ServerConfig.Builder server = ServerConfig.builder();
  private String host = server.build().listeners().table().host();
  String engine = server.build().store().engine();
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

  /** Takes memory for the engine, or, if that is it, the one that counts if nobody names one. */
  void inMemory(boolean on) {
    if (on || engine.equals("memory")) {
      engine = on ? "memory" : server.build().store().engine();
    }
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
    server.engine(engine);
    // Where the start script has built it; elsewhere its jars lie beside the server's.
    String folder = System.getProperty("lazuli.engine." + engine);
    if (folder != null) {
      server.engineFolder(Path.of(folder));
    }
  }
}
