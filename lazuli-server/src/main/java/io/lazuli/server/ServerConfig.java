package io.lazuli.server;

import io.lazuli.storage.Durability;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How to run a server. {@link #builder} begins with what {@code lazuli serve} does without options.
 *
 * @param engine name of the storage engine: {@code rocksdb} or {@code memory}
 * @param dataFolder where an engine that keeps data keeps it
 * @param host of the services' listeners
 * @param queuePort 0 for any that is free
 * @param tablePort 0 for any that is free
 * @param adminHost of the admin listener; it is not moved by {@code host}
 * @param adminPort 0 for any that is free
 * @param allowDevelopmentAccount offer the account with the public key also beyond loopback
 * @param dateWindow how far the date of a signed request may be off; zero for no check
 */
public record ServerConfig(
    String engine,
    Path dataFolder,
    Durability durability,
    String host,
    int queuePort,
    int tablePort,
    String adminHost,
    int adminPort,
    boolean allowDevelopmentAccount,
    Duration dateWindow) {

  public static Builder builder() {
    return new Builder();
  }

  /** Collects settings; those that are not set keep their defaults, which stand here only. */
  public static final class Builder {
    private String engine = "rocksdb";
    private Path dataFolder = Path.of("lazuli-data");
    private Durability durability = Durability.DISK;
    private String host = "127.0.0.1";
    private int queuePort = 10001;
    private int tablePort = 10002;
    private String adminHost = "127.0.0.1";
    private int adminPort = 10010;
    private boolean allowDevelopmentAccount;
    private Duration dateWindow = Duration.ofMinutes(15);

    private Builder() {}

    public Builder engine(String name) {
      engine = name;
      return this;
    }

    public Builder dataFolder(Path folder) {
      dataFolder = folder;
      return this;
    }

    public Builder durability(Durability when) {
      durability = when;
      return this;
    }

    public Builder host(String name) {
      host = name;
      return this;
    }

    public Builder queuePort(int port) {
      queuePort = port;
      return this;
    }

    public Builder tablePort(int port) {
      tablePort = port;
      return this;
    }

    public Builder adminHost(String name) {
      adminHost = name;
      return this;
    }

    public Builder adminPort(int port) {
      adminPort = port;
      return this;
    }

    /** Any free port for every listener, also for those that a later version adds. */
    public Builder freePorts() {
      return queuePort(0).tablePort(0).adminPort(0);
    }

    public Builder allowDevelopmentAccount(boolean allowed) {
      allowDevelopmentAccount = allowed;
      return this;
    }

    public Builder dateWindow(Duration window) {
      dateWindow = window;
      return this;
    }

    public ServerConfig build() {
      return new ServerConfig(
          engine,
          dataFolder,
          durability,
          host,
          queuePort,
          tablePort,
          adminHost,
          adminPort,
          allowDevelopmentAccount,
          dateWindow);
    }
  }
}
