package io.lazuli.server.config;

import io.lazuli.server.account.Account;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How to run a server. {@link #builder} begins with what {@code lazuli serve} does without options.
 *
 * @param engine name of the storage engine: {@code rocksdb}, {@code memory}, or one with jars of
 *     its own
 * @param engineFolder with the jars of an engine that the server does not contain; null for {@code
 *     engines/NAME} beside the server's jar
 * @param engineConfig a file of the engine's own settings; null for engines without
 * @param dataFolder where an engine that keeps data keeps it
 * @param memoryBytes of the engine's caches and buffers; in memory the most that it stores, if half
 *     of the heap is not less
 * @param accountsFile null for the one in the data folder, or, in memory, none
 * @param accounts that need no file; if there are any, the development account is one of them or is
 *     not offered
 * @param services those that it has
 * @param blobHost where the blob service listens
 * @param queueHost where the queue service listens
 * @param tableHost where the table service listens
 * @param blobPort 0 for any that is free
 * @param queuePort 0 for any that is free
 * @param tablePort 0 for any that is free
 * @param adminHost of the admin listener; it is not moved by the services' hosts
 * @param adminPort 0 for any that is free
 * @param allowDevelopmentAccount offer the account with the public key also beyond loopback
 * @param accountRate requests per second of each account; 0 for as many as come
 * @param partitionRate entities per second of each partition, messages of each queue; 0 for as many
 *     as come
 * @param lenientPaths whether {@code name(PartitionKey='x')} reads a partition, as the design guide
 *     writes it; Azure refuses it
 * @param hostStyle whether {@code http://account.table.anything/} names an account; otherwise it
 *     always stands in the path
 * @param dateWindow how far the date of a signed request may be off; zero for no check
 * @param tls the certificate with which the services speak https; null for http
 * @param rehearsal trouble that is made on purpose
 */
public record ServerConfig(
    String engine,
    @Nullable Path engineFolder,
    @Nullable Path engineConfig,
    Path dataFolder,
    Durability durability,
    long memoryBytes,
    @Nullable Path accountsFile,
    List<Account> accounts,
    Set<ServiceName> services,
    String blobHost,
    String queueHost,
    String tableHost,
    int blobPort,
    int queuePort,
    int tablePort,
    String adminHost,
    int adminPort,
    boolean allowDevelopmentAccount,
    int accountRate,
    int partitionRate,
    boolean lenientPaths,
    boolean hostStyle,
    Duration dateWindow,
    @Nullable TlsFiles tls,
    Rehearsal rehearsal) {

  public ServerConfig {
    accounts = List.copyOf(accounts);
    services = Set.copyOf(services);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Where a service listens. */
  public String host(ServiceName service) {
    return switch (service) {
      case BLOB -> blobHost;
      case QUEUE -> queueHost;
      case TABLE -> tableHost;
    };
  }

  /** The port of a service, 0 for any that is free. */
  public int port(ServiceName service) {
    return switch (service) {
      case BLOB -> blobPort;
      case QUEUE -> queuePort;
      case TABLE -> tablePort;
    };
  }

  /**
   * Whether the blob port is listened on although there is no blob service, for tools that look
   * there. Nobody would look at any free port.
   */
  public boolean hasSignpost() {
    return !services.contains(ServiceName.BLOB) && blobPort != 0;
  }

  /** Collects settings; those that are not set keep their defaults, which stand here only. */
  public static final class Builder {
    private String engine = "rocksdb";
    private @Nullable Path engineFolder;
    private @Nullable Path engineConfig;
    private Path dataFolder = Path.of("lazuli-data");
    private Durability durability = Durability.DISK;
    private long memoryBytes = EngineConfig.of(dataFolder).memoryBytes();
    private @Nullable Path accountsFile;
    private List<Account> accounts = List.of();
    private Set<ServiceName> services = EnumSet.allOf(ServiceName.class);
    private String host = "127.0.0.1";
    private @Nullable String blobHost;
    private @Nullable String queueHost;
    private @Nullable String tableHost;
    private int blobPort = 10000;
    private int queuePort = 10001;
    private int tablePort = 10002;
    private String adminHost = "127.0.0.1";
    private int adminPort = 10010;
    private boolean allowDevelopmentAccount;
    private int accountRate;
    private int partitionRate;
    private boolean lenientPaths = true;
    private boolean hostStyle = true;
    private Duration dateWindow = Duration.ofMinutes(15);
    private @Nullable TlsFiles tls;
    private Rehearsal rehearsal = Rehearsal.OFF;

    private Builder() {}

    public Builder engine(String name) {
      engine = name;
      return this;
    }

    public Builder engineFolder(Path folder) {
      engineFolder = folder;
      return this;
    }

    public Builder engineConfig(Path file) {
      engineConfig = file;
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

    public Builder memoryBytes(long bytes) {
      memoryBytes = bytes;
      return this;
    }

    public Builder accountsFile(Path file) {
      accountsFile = file;
      return this;
    }

    public Builder accounts(List<Account> given) {
      accounts = given;
      return this;
    }

    public Builder services(Set<ServiceName> names) {
      services = names;
      return this;
    }

    /** Where the services listen that have no host of their own. */
    public Builder host(String name) {
      host = name;
      return this;
    }

    public Builder blobHost(String name) {
      blobHost = name;
      return this;
    }

    public Builder queueHost(String name) {
      queueHost = name;
      return this;
    }

    public Builder tableHost(String name) {
      tableHost = name;
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

    public Builder hostStyle(boolean allowed) {
      hostStyle = allowed;
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

    public Builder rehearsal(Rehearsal trouble) {
      rehearsal = trouble;
      return this;
    }

    public ServerConfig build() {
      return new ServerConfig(
          engine,
          engineFolder,
          engineConfig,
          dataFolder,
          durability,
          memoryBytes,
          accountsFile,
          accounts,
          services,
          blobHost == null ? host : blobHost,
          queueHost == null ? host : queueHost,
          tableHost == null ? host : tableHost,
          blobPort,
          queuePort,
          tablePort,
          adminHost,
          adminPort,
          allowDevelopmentAccount,
          accountRate,
          partitionRate,
          lenientPaths,
          hostStyle,
          dateWindow,
          tls,
          rehearsal);
    }
  }
}
