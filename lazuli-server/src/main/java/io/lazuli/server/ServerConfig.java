package io.lazuli.server;

import io.lazuli.storage.Durability;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How to run a server. {@link #builder} begins with what {@code lazuli serve} does without options.
 *
 * @param engine name of the storage engine: {@code rocksdb} or {@code memory}
 * @param dataFolder where an engine that keeps data keeps it
 * @param accountsFile null for the one in the data folder, or, in memory, none
 * @param host of the services' listeners
 * @param blobPort 0 for any that is free
 * @param queuePort 0 for any that is free
 * @param tablePort 0 for any that is free
 * @param adminHost of the admin listener; it is not moved by {@code host}
 * @param adminPort 0 for any that is free
 * @param allowDevelopmentAccount offer the account with the public key also beyond loopback
 * @param accountRate requests per second of each account; 0 for as many as come
 * @param partitionRate entities per second of each partition, messages of each queue; 0 for as many
 *     as come
 * @param lenientPaths whether {@code name(PartitionKey='x')} reads a partition, as the design guide
 *     writes it; Azure refuses it
 * @param dateWindow how far the date of a signed request may be off; zero for no check
 * @param tls the certificate with which the services speak https; null for http
 */
public record ServerConfig(
    String engine,
    Path dataFolder,
    Durability durability,
    @Nullable Path accountsFile,
    String host,
    int blobPort,
    int queuePort,
    int tablePort,
    String adminHost,
    int adminPort,
    boolean allowDevelopmentAccount,
    int accountRate,
    int partitionRate,
    boolean lenientPaths,
    Duration dateWindow,
    @Nullable TlsFiles tls) {

  public static Builder builder() {
    return new Builder();
  }

  /** Collects settings; those that are not set keep their defaults, which stand here only. */
  public static final class Builder {
    private String engine = "rocksdb";
    private Path dataFolder = Path.of("lazuli-data");
    private Durability durability = Durability.DISK;
    private @Nullable Path accountsFile;
    private String host = "127.0.0.1";
    private int blobPort = 10000;
    private int queuePort = 10001;
    private int tablePort = 10002;
    private String adminHost = "127.0.0.1";
    private int adminPort = 10010;
    private boolean allowDevelopmentAccount;
    private int accountRate;
    private int partitionRate;
    private boolean lenientPaths = true;
    private Duration dateWindow = Duration.ofMinutes(15);
    private @Nullable TlsFiles tls;

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

    public Builder accountsFile(Path file) {
      accountsFile = file;
      return this;
    }

    public Builder host(String name) {
      host = name;
      return this;
    }

    public Builder blobPort(int port) {
      blobPort = port;
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
      return blobPort(0).queuePort(0).tablePort(0).adminPort(0);
    }

    public Builder allowDevelopmentAccount(boolean allowed) {
      allowDevelopmentAccount = allowed;
      return this;
    }

    public Builder accountRate(int requestsPerSecond) {
      accountRate = requestsPerSecond;
      return this;
    }

    public Builder partitionRate(int entitiesPerSecond) {
      partitionRate = entitiesPerSecond;
      return this;
    }

    public Builder lenientPaths(boolean lenient) {
      lenientPaths = lenient;
      return this;
    }

    public Builder dateWindow(Duration window) {
      dateWindow = window;
      return this;
    }

    public Builder tls(@Nullable TlsFiles files) {
      tls = files;
      return this;
    }

    public ServerConfig build() {
      return new ServerConfig(
          engine,
          dataFolder,
          durability,
          accountsFile,
          host,
          blobPort,
          queuePort,
          tablePort,
          adminHost,
          adminPort,
          allowDevelopmentAccount,
          accountRate,
          partitionRate,
          lenientPaths,
          dateWindow,
          tls);
    }
  }
}
