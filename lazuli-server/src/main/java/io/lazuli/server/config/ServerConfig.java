package io.lazuli.server.config;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountOptions;
import io.lazuli.server.audit.AuditConfig;
import io.lazuli.server.backup.BackupConfig;
import io.lazuli.server.console.session.ConsoleConfig;
import io.lazuli.server.development.DevelopmentConfig;
import io.lazuli.server.identity.TokenConfig;
import io.lazuli.server.outbound.AddressBlock;
import io.lazuli.server.outbound.AllowedSources;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineConfig;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a server. {@link #builder} starts with the defaults of {@code lazuli serve}.
 *
 * @param rehearsal trouble that is caused on purpose
 * @param otlpEndpoint the collector of traces; null for none
 * @param backup the backups that the server makes by itself
 * @param console the console on the admin port
 * @param tokens the bearer tokens that the services accept
 * @param audit the file with a line for each change
 * @param development the development identity, which makes tokens
 */
public record ServerConfig(
    StoreConfig store,
    AccountsConfig accounts,
    ListenersConfig listeners,
    ProtocolConfig protocol,
    RatesConfig rates,
    Rehearsal rehearsal,
    @Nullable URI otlpEndpoint,
    ScrubConfig scrub,
    BackupConfig backup,
    ConsoleConfig console,
    TokenConfig tokens,
    AuditConfig audit,
    DevelopmentConfig development) {

  /** Returns the same configuration with another certificate. */
  public ServerConfig withTls(TlsFiles files) {
    return new ServerConfig(
        store,
        accounts,
        listeners.withTls(files),
        protocol,
        rates,
        rehearsal,
        otlpEndpoint,
        scrub,
        backup,
        console,
        tokens,
        audit,
        development);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects settings. The defaults are set here and nowhere else. */
  public static final class Builder {
    private String engine = "rocksdb";
    private @Nullable Path engineFolder;
    private @Nullable Path engineConfig;
    private Path dataFolder = Path.of("lazuli-data");
    private Durability durability = Durability.DISK;
    private long memoryBytes = EngineConfig.of(dataFolder).memoryBytes();
    private @Nullable Path accountsFile;
    private @Nullable Path rolesFile;
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
    private @Nullable Integer onePort;
    private @Nullable Integer webPort;
    private String domain = "localhost";
    private List<String> allowedHosts = List.of();
    private boolean allowDevelopmentAccount;
    private AccountOptions givenOptions = AccountOptions.NONE;
    private int accountRate;
    private int partitionRate;
    private boolean lenientPaths = true;
    private boolean hostStyle = true;
    private Duration dateWindow = Duration.ofMinutes(15);
    private Duration rehydrationTime = Duration.ofMinutes(1);
    private AllowedSources copySources = AllowedSources.NONE;
    private @Nullable TlsFiles tls;
    private ListenersConfig.AdminTls adminTls = ListenersConfig.AdminTls.AUTO;
    private int connectionsMax;
    private int connectionsPerAddressMax;
    private List<AddressBlock> trustedProxies = List.of();
    private Rehearsal rehearsal = Rehearsal.OFF;
    private @Nullable URI otlpEndpoint;
    private boolean consoleOpen;
    private @Nullable Path consoleUsers;
    private List<String> consoleHosts = List.of();
    private Duration scrubInterval = Duration.ofDays(7);
    private long scrubBytesPerSecond = 8L << 20;
    private BackupConfig backup = BackupConfig.NONE;
    private TokenConfig tokens = TokenConfig.NONE;
    private AuditConfig audit = AuditConfig.NONE;
    private DevelopmentConfig development = DevelopmentConfig.OFF;

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

    public Builder rolesFile(Path file) {
      rolesFile = file;
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

    /** Sets the host of all services for which no other host is set. */
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

    /** Serves all services on one port, chosen by the host that a request names. */
    public Builder onePort(int port) {
      onePort = port;
      return this;
    }

    /** Serves static websites on this port. */
    public Builder webPort(int port) {
      webPort = port;
      return this;
    }

    /** Sets the end of the hosts that name an account and a service, in lower case. */
    public Builder domain(String name) {
      domain = name;
      return this;
    }

    /** Chooses a free port for every listener, including listeners of future versions. */
    public Builder freePorts() {
      return blobPort(0).queuePort(0).tablePort(0).adminPort(0).development(one -> one.withPort(0));
    }

    /** Sets the hosts that requests may name, in addition to the names of loopback. */
    public Builder allowedHosts(List<String> names) {
      allowedHosts = names;
      return this;
    }

    public Builder allowDevelopmentAccount(boolean allowed) {
      allowDevelopmentAccount = allowed;
      return this;
    }

    /** Sets whether the accounts that are not in the accounts file have blob versions. */
    public Builder noSharedKey(boolean on) {
      givenOptions = givenOptions.withNoSharedKey(on);
      return this;
    }

    public Builder blobVersioning(boolean on) {
      givenOptions = givenOptions.withBlobVersioning(on);
      return this;
    }

    /** Sets whether the blobs of these accounts can have immutability policies. */
    public Builder blobImmutability(boolean on) {
      givenOptions = givenOptions.withBlobImmutability(on);
      return this;
    }

    /**
     * Sets the days for which deleted containers of the accounts that are not in the accounts file
     * can be restored; 0 for none.
     */
    public Builder containerRetentionDays(int days) {
      givenOptions = givenOptions.withContainerRetentionDays(days);
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

    public Builder rehydrationTime(Duration time) {
      rehydrationTime = time;
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

    public Builder connectionsMax(int max) {
      connectionsMax = max;
      return this;
    }

    public Builder connectionsPerAddressMax(int max) {
      connectionsPerAddressMax = max;
      return this;
    }

    public Builder trustedProxies(List<AddressBlock> proxies) {
      trustedProxies = proxies;
      return this;
    }

    /** Sets when the admin listener uses https. */
    public Builder adminTls(ListenersConfig.AdminTls when) {
      adminTls = when;
      return this;
    }

    /** Sets whether the console needs no sign-in. */
    public Builder consoleOpen(boolean open) {
      consoleOpen = open;
      return this;
    }

    /** Sets the file with the users of the console. */
    public Builder consoleUsers(Path file) {
      consoleUsers = file;
      return this;
    }

    /** Sets further names under which the admin port is reached. */
    public Builder consoleHosts(List<String> hosts) {
      consoleHosts = List.copyOf(hosts);
      return this;
    }

    /** Sets the time between two rounds of the scrub; zero for rounds that operators request. */
    public Builder scrubInterval(Duration time) {
      scrubInterval = time;
      return this;
    }

    public Builder scrubBytesPerSecond(long bytes) {
      scrubBytesPerSecond = bytes;
      return this;
    }

    /** Sends a span for each request to this collector, over HTTP. */
    public Builder otlpEndpoint(URI collector) {
      otlpEndpoint = collector;
      return this;
    }

    public Builder copySources(AllowedSources sources) {
      copySources = sources;
      return this;
    }

    /** Changes the backups that the server makes by itself. */
    public Builder backup(UnaryOperator<BackupConfig> change) {
      backup = change.apply(backup);
      return this;
    }

    /** Changes the bearer tokens that the services accept. */
    public Builder tokens(UnaryOperator<TokenConfig> change) {
      tokens = change.apply(tokens);
      return this;
    }

    /** Changes the audit. */
    public Builder audit(UnaryOperator<AuditConfig> change) {
      audit = change.apply(audit);
      return this;
    }

    /** Changes the development identity. */
    public Builder development(UnaryOperator<DevelopmentConfig> change) {
      development = change.apply(development);
      return this;
    }

    public Builder rehearsal(Rehearsal trouble) {
      rehearsal = trouble;
      return this;
    }

    public ServerConfig build() {
      return new ServerConfig(
          new StoreConfig(
              engine,
              engineFolder,
              engineConfig,
              dataFolder,
              durability,
              memoryBytes,
              backup.keptLogBytesMax()),
          new AccountsConfig(
              accountsFile, accounts, givenOptions, rolesFile, allowDevelopmentAccount),
          new ListenersConfig(
              services,
              new ListenAddress(blobHost == null ? host : blobHost, blobPort),
              new ListenAddress(queueHost == null ? host : queueHost, queuePort),
              new ListenAddress(tableHost == null ? host : tableHost, tablePort),
              new ListenAddress(adminHost, adminPort),
              onePort == null ? null : new ListenAddress(host, onePort),
              webPort == null ? null : new ListenAddress(host, webPort),
              domain,
              allowedHosts,
              tls,
              adminTls,
              new ConnectionsConfig(connectionsMax, connectionsPerAddressMax, trustedProxies)),
          new ProtocolConfig(lenientPaths, hostStyle, dateWindow, rehydrationTime, copySources),
          new RatesConfig(accountRate, partitionRate),
          rehearsal,
          otlpEndpoint,
          new ScrubConfig(scrubInterval, scrubBytesPerSecond),
          backup,
          new ConsoleConfig(consoleOpen, consoleUsers, consoleHosts),
          tokens,
          audit,
          development);
    }
  }
}
