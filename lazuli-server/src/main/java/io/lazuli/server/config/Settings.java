package io.lazuli.server.config;

import static io.lazuli.server.config.Setting.hostSetting;
import static io.lazuli.server.config.Setting.setting;

import io.lazuli.server.audit.AuditConfig;
import io.lazuli.server.identity.Issuer;
import io.lazuli.server.identity.TokenConfig;
import io.lazuli.server.outbound.AllowedSources;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one table of all settings. Options, variables, keys of the file, their help, {@code lazuli
 * config} and the table in docs/configuration.md all come from here; the defaults come from {@link
 * io.lazuli.server.config.ServerConfig} and {@link Draft}. To add a setting, add a row.
 */
public final class Settings {
  /** The prefix of all variables. */
  static final String VARIABLE_PREFIX = "LAZULI_";

  /** The maximum of settings that are counted in MiB. */
  public static final int MEBIBYTES_MAX = 1 << 24;

  private static final long MIB = 1 << 20;

  /** Never effective itself: {@link InMemory} turns it into an engine. */
  static final Setting IN_MEMORY =
      setting(
              "in-memory",
              Kind.SWITCH,
              "The same as engine = memory: the data is lost when the process ends.",
              Draft::inMemory,
              launch -> launch.server().store().isInMemory())
          .otherwise(InMemory.ENGINE);

  private static final List<Setting> DATA =
      List.of(
          setting(
              "data",
              Kind.FOLDER,
              "The data folder.",
              (draft, folder) -> draft.server.dataFolder(folder),
              launch -> launch.server().store().folder()),
          setting(
              InMemory.ENGINE,
              Kind.NAME,
              "rocksdb for one machine, hbase for a cluster, or memory.",
              (draft, engine) -> draft.engine = engine,
              launch -> launch.server().store().engine()),
          setting(
              "engine-config",
              Kind.FILE,
              "Settings of the engine: for hbase, the cluster's hbase-site.xml.",
              (draft, file) -> draft.server.engineConfig(file),
              launch -> launch.server().store().engineConfig()),
          IN_MEMORY,
          setting(
              "memory",
              Kind.MEBIBYTES,
              "Size of caches and write buffers outside the heap. With engine memory: the maximum"
                  + " of stored data, at most half of the heap; beyond it, writes get 503.",
              (draft, mib) -> draft.server.memoryBytes(mib * MIB),
              launch -> (int) (launch.server().store().memoryBytes() / MIB)),
          setting(
              "durability",
              Kind.oneOf(Durability.class),
              "disk: a write is acknowledged once it is on disk. relaxed: faster, but a power cut"
                  + " may lose the last writes. replicated: for clusters; a write is acknowledged"
                  + " once it is in the memory of all replicas.",
              (draft, durability) -> draft.server.durability(durability),
              launch -> launch.server().store().durability()),
          setting(
              "accounts",
              Kind.FILE,
              "The accounts file. If not set: accounts in the data folder; none with engine"
                  + " memory.",
              (draft, file) -> draft.server.accountsFile(file),
              launch -> launch.server().accounts().file()),
          setting(
              "roles",
              Kind.FILE,
              "The roles file, for callers with tokens. If not set: roles in the data folder; none"
                  + " with engine memory. See docs/roles.md.",
              (draft, file) -> draft.server.rolesFile(file),
              launch -> launch.server().accounts().roles()),
          setting(
              "account-keys",
              Kind.ACCOUNT_KEYS,
              "Accounts that are not in the file; devstoreaccount1 is then offered only if it is"
                  + " one of them. An account of the same name in the file takes precedence. Other"
                  + " users can see options, so use a variable.",
              (draft, accounts) -> draft.server.accounts(accounts),
              launch -> orNull(launch.server().accounts().given())));

  private static final List<Setting> LISTENERS =
      List.of(
          setting(
              "services",
              Kind.SERVICES,
              "The services to run. Without blob, the blob port only answers tools that look for a"
                  + " server, unless the port is 0 or in use.",
              (draft, services) -> draft.server.services(services),
              launch -> launch.server().listeners().services()),
          setting(
              "host",
              Kind.HOST,
              "The host of all services that have none of their own.",
              Draft::host,
              Launch::host),
          hostSetting(
              "blob-host",
              "The host on which the blob service listens.",
              (draft, host) -> draft.server.blobHost(host),
              launch -> launch.server().listeners().blob().host()),
          hostSetting(
              "queue-host",
              "The host on which the queue service listens.",
              (draft, host) -> draft.server.queueHost(host),
              launch -> launch.server().listeners().queue().host()),
          hostSetting(
              "table-host",
              "The host on which the table service listens.",
              (draft, host) -> draft.server.tableHost(host),
              launch -> launch.server().listeners().table().host()),
          setting(
              "blob-port",
              Kind.PORT,
              "The port of the blob service. 0 chooses a free port.",
              (draft, port) -> draft.server.blobPort(port),
              launch -> launch.server().listeners().blob().port()),
          setting(
              "queue-port",
              Kind.PORT,
              "The port of the queue service. 0 chooses a free port.",
              (draft, port) -> draft.server.queuePort(port),
              launch -> launch.server().listeners().queue().port()),
          setting(
              "table-port",
              Kind.PORT,
              "The port of the table service. 0 chooses a free port.",
              (draft, port) -> draft.server.tablePort(port),
              launch -> launch.server().listeners().table().port()),
          setting(
              "one-port",
              Kind.PORT,
              "Serve all services on this port, at hosts like NAME.blob.DOMAIN, NAME.queue.DOMAIN"
                  + " and NAME.table.DOMAIN. The other ports, the hosts of single services and"
                  + " host-style then have no effect; the admin port stays. 0 chooses a free port."
                  + " See docs/one-port.md.",
              (draft, port) -> draft.server.onePort(port),
              Settings::onePort),
          setting(
              "web-port",
              Kind.PORT,
              "Serve the static websites of accounts on this port, at hosts like NAME.web.DOMAIN,"
                  + " or at paths that begin with the account. 0 chooses a free port. If not set,"
                  + " no website is served.",
              (draft, port) -> draft.server.webPort(port),
              Settings::webPort),
          setting(
              "domain",
              Kind.DOMAIN,
              "The domain of one-port. Requests may always name it and the hosts below it.",
              (draft, domain) -> draft.server.domain(domain),
              launch -> launch.server().listeners().domain()),
          setting(
              "admin-host",
              Kind.HOST,
              "The host of /metrics, /livez, /readyz, /health and /partitions.",
              (draft, host) -> draft.server.adminHost(host),
              launch -> launch.server().listeners().admin().host()),
          setting(
              "admin-port",
              Kind.PORT,
              "The port of /metrics, /livez, /readyz, /health and /partitions. 0 chooses a free"
                  + " port.",
              (draft, port) -> draft.server.adminPort(port),
              launch -> launch.server().listeners().admin().port()),
          setting(
              "connections",
              Kind.COUNT,
              "Maximum open connections of all services together; further ones are closed. 0: as"
                  + " many as the heap allows, see docs/limits.md.",
              (draft, max) -> draft.server.connectionsMax(max),
              launch -> launch.server().listeners().connections().max()),
          setting(
              "connections-per-address",
              Kind.COUNT,
              "Maximum open connections of one client address, or of one IPv6 network of 64 bits."
                  + " 0: half of connections.",
              (draft, max) -> draft.server.connectionsPerAddressMax(max),
              launch -> launch.server().listeners().connections().perAddressMax()),
          setting(
              "trusted-proxies",
              Kind.ADDRESSES,
              "Addresses and networks to which connections-per-address does not apply.",
              (draft, proxies) -> draft.server.trustedProxies(proxies),
              launch -> orNull(launch.server().listeners().connections().trustedProxies())));

  private static final List<Setting> SECURITY =
      List.of(
          setting(
              "allowed-hosts",
              Kind.HOSTS,
              "The hosts that requests may name, with all names below them; * for all. Listeners on"
                  + " loopback always allow localhost, *.localhost and loopback addresses, and by"
                  + " default nothing else. Other listeners check hosts only if this is set.",
              (draft, hosts) -> draft.server.allowedHosts(hosts),
              launch -> orNull(launch.server().listeners().allowedHosts())),
          setting(
              "console-open",
              Kind.SWITCH,
              "The console needs no sign-in: everybody on this machine is its administrator. For"
                  + " demonstrations; refused unless admin-host is loopback.",
              (draft, open) -> draft.server.consoleOpen(open),
              launch -> launch.server().console().open()),
          setting(
              "console-users",
              Kind.FILE,
              "The users of the console with hashed passwords, as lazuli console --user writes"
                  + " them. If not set, only one-time links sign in.",
              (draft, file) -> draft.server.consoleUsers(file),
              launch -> launch.server().console().users()),
          setting(
              "console-hosts",
              Kind.HOSTS,
              "Names under which the admin port is reached, besides loopback and admin-host.",
              (draft, hosts) -> draft.server.consoleHosts(hosts),
              launch -> orNull(launch.server().console().hosts())),
          setting(
              "tls-cert",
              Kind.FILE,
              "Use https with this certificate: PEM or PKCS#12 (.pfx). lazuli dev-cert makes one. A"
                  + " changed file is read again.",
              (draft, file) -> draft.tlsCertificate = file,
              launch -> tls(launch, TlsFiles::certificate)),
          setting(
              "tls-key",
              Kind.FILE,
              "The key of the certificate, PEM, if it is in another file.",
              (draft, file) -> draft.tlsKey = file,
              launch -> tls(launch, TlsFiles::key)),
          setting(
              "tls-password",
              Kind.SECRET,
              "The password of a .pfx certificate. Other users can see options, so use a variable"
                  + " or the file.",
              (draft, password) -> draft.tlsPassword = password,
              launch -> tls(launch, TlsFiles::password)),
          setting(
              "admin-tls",
              Kind.oneOf(ListenersConfig.AdminTls.class),
              "https on the admin port, with the same certificate. auto: if tls-cert is set and"
                  + " admin-host is not loopback. off keeps plain http for probes; the console then"
                  + " answers 403 beyond loopback.",
              (draft, when) -> draft.server.adminTls(when),
              launch -> launch.server().listeners().adminTls()),
          setting(
              "allow-development-account",
              Kind.SWITCH,
              "Offer devstoreaccount1, whose key is public, beyond loopback too, and accept other"
                  + " accounts with that key or with keys shorter than 16 bytes there.",
              (draft, allowed) -> draft.server.allowDevelopmentAccount(allowed),
              launch -> launch.server().accounts().allowDevelopment()),
          setting(
              "no-shared-key",
              Kind.SWITCH,
              "Refuse the keys of devstoreaccount1, or of the accounts of account-keys, and"
                  + " signatures made with them: callers need tokens. For the accounts of a file"
                  + " use lazuli account set.",
              (draft, on) -> draft.server.noSharedKey(on),
              launch -> launch.server().accounts().givenOptions().noSharedKey()),
          setting(
              "blob-versioning",
              Kind.SWITCH,
              "Keep replaced and deleted blobs of devstoreaccount1, or of the accounts of"
                  + " account-keys, as versions. For the accounts of a file use lazuli account"
                  + " set.",
              (draft, on) -> draft.server.blobVersioning(on),
              launch -> launch.server().accounts().givenOptions().blobVersioning()),
          setting(
              "blob-immutability",
              Kind.SWITCH,
              "Accept immutability policies and legal holds for the same accounts. Needs"
                  + " blob-versioning.",
              (draft, on) -> draft.server.blobImmutability(on),
              launch -> launch.server().accounts().givenOptions().blobImmutability()),
          setting(
              "container-retention-days",
              Kind.DAYS,
              "Keep deleted containers of devstoreaccount1, or of the accounts of account-keys, for"
                  + " 1 to 365 days, in which they can be restored. 0 to delete them for good. For"
                  + " the accounts of a file use lazuli account set.",
              (draft, days) -> draft.server.containerRetentionDays(days),
              launch -> launch.server().accounts().givenOptions().containerRetentionDays()),
          setting(
              "copy-source",
              Kind.COPY_SOURCES,
              "Other servers that copies may read from: hosts, *.HOST for all names below one, with"
                  + " http:// or a port if needed. Only public addresses, unless the entry names"
                  + " others: HOST=10.0.0.0/8. None by default. See docs/copies.md.",
              (draft, sources) -> draft.server.copySources(sources),
              Settings::copySources));

  private static final List<Setting> TOKENS =
      List.of(
          setting(
              "oauth",
              Kind.oneOf(TokenConfig.OAuth.class),
              "basic accepts bearer tokens for full access and does NOT check their signature, as"
                  + " Azurite does. For tests only. See docs/identity.md.",
              (draft, level) -> draft.server.tokens(one -> one.withOauth(level)),
              launch -> launch.server().tokens().oauth()),
          setting(
              "oidc-issuer",
              Kind.ISSUERS,
              "Accept bearer tokens of these issuers, whose keys are fetched through OpenID Connect"
                  + " discovery: https://login.microsoftonline.com/TENANT/v2.0 for Entra. Roles"
                  + " decide what a token allows.",
              (draft, issuers) -> draft.server.tokens(one -> one.withIssuers(issuers)),
              launch -> orNull(launch.server().tokens().issuers())),
          setting(
              "oidc-jwks",
              Kind.KEY_FILES,
              "Accept bearer tokens of these issuers too, whose keys are in files (JSON Web Key"
                  + " Sets): for servers that cannot reach the issuer. A changed file is read"
                  + " again.",
              (draft, files) -> draft.server.tokens(one -> one.withKeyFiles(files)),
              Settings::keyFiles),
          setting(
              "oidc-audience",
              Kind.AUDIENCES,
              "The audiences that tokens may have. If not set: https://storage.azure.com, the id of"
                  + " Azure Storage, and https://ACCOUNT.SERVICE.core.windows.net.",
              (draft, audiences) -> draft.server.tokens(one -> one.withAudiences(audiences)),
              launch -> orNull(launch.server().tokens().audiences())),
          setting(
              "oidc-tenant",
              Kind.TENANTS,
              "Accept only tokens of these tenants (claim tid).",
              (draft, tenants) -> draft.server.tokens(one -> one.withTenants(tenants)),
              launch -> orNull(launch.server().tokens().tenants())),
          setting(
              "oidc-ca",
              Kind.FILE,
              "The certificates, PEM, that the https of issuers is checked against, instead of"
                  + " those that Java trusts.",
              (draft, file) -> draft.server.tokens(one -> one.withAuthority(file)),
              launch -> launch.server().tokens().authority()),
          setting(
              "tokens-over-http",
              Kind.SWITCH,
              "Accept bearer tokens over plain http too. Refused unless all services listen on"
                  + " loopback; most SDKs send tokens over https only.",
              (draft, allowed) -> draft.server.tokens(one -> one.withOverHttp(allowed)),
              launch -> launch.server().tokens().overHttp()),
          setting(
              "dev-identity",
              Kind.SWITCH,
              "Offer tokens to programs of this machine, as App Service and Entra do, for an"
                  + " identity that may do everything, and use https. For development; refused"
                  + " beyond loopback. See docs/identity.md.",
              (draft, on) -> draft.server.development(one -> one.withOn(on)),
              launch -> launch.server().development().on()),
          setting(
              "dev-identity-port",
              Kind.PORT,
              "The port of the development identity, on 127.0.0.1. 0 chooses a free port.",
              (draft, port) -> draft.server.development(one -> one.withPort(port)),
              launch -> launch.server().development().port()),
          setting(
              "dev-identities",
              Kind.IDENTITIES,
              "Further development identities, with their roles on the accounts that are not in an"
                  + " accounts file. A program names one as AZURE_CLIENT_ID.",
              (draft, more) -> draft.server.development(one -> one.withMore(more)),
              launch -> orNull(launch.server().development().more())));

  private static final List<Setting> BEHAVIOUR =
      List.of(
          setting(
              "account-rate",
              Kind.COUNT,
              "Maximum requests per second of each account; more get 503 ServerBusy. 0 for no"
                  + " limit. Azure: 20000.",
              (draft, rate) -> draft.server.accountRate(rate),
              launch -> launch.server().rates().account()),
          setting(
              "partition-rate",
              Kind.COUNT,
              "Maximum entities per second of each partition, and messages of each queue; more get"
                  + " 503 ServerBusy. 0 for no limit. Azure: 2000.",
              (draft, rate) -> draft.server.partitionRate(rate),
              launch -> launch.server().rates().partition()),
          setting(
              "strict-paths",
              Kind.SWITCH,
              "Refuse name(PartitionKey='x'), as Azure does, instead of reading the partition.",
              (draft, strict) -> draft.server.lenientPaths(!strict),
              launch -> !launch.server().protocol().lenientPaths()),
          setting(
              "host-style",
              Kind.SWITCH,
              "Accept the account in hosts like NAME.table.localhost. If false, it is always in the"
                  + " path.",
              (draft, allowed) -> draft.server.hostStyle(allowed),
              launch -> launch.server().protocol().hostStyle()),
          setting(
              "rehydrate-seconds",
              Kind.SECONDS,
              "The time that a blob needs to leave tier Archive. Azure takes hours.",
              (draft, seconds) -> draft.server.rehydrationTime(Duration.ofSeconds(seconds)),
              launch -> (int) launch.server().protocol().rehydrationTime().toSeconds()),
          setting(
              "rehearse",
              Kind.REHEARSAL,
              "Cause trouble on purpose, as Azure may: shares in percent, deleting in s, latency in"
                  + " ms. all stands for some of everything. See docs/rehearsal.md.",
              (draft, trouble) -> draft.server.rehearsal(trouble),
              Settings::rehearsal),
          setting(
              "log-level",
              Kind.oneOf(LogLevel.class),
              "debug logs every request and its string-to-sign.",
              (draft, level) -> draft.logLevel = level,
              Launch::logLevel),
          setting(
              "log-format",
              Kind.oneOf(LogFormat.class),
              "json writes each event as one JSON object in one line, with its stack trace.",
              (draft, format) -> draft.logFormat = format,
              Launch::logFormat),
          setting(
              "log-file",
              Kind.FILE,
              "Log to this file; only warnings also go to the standard error.",
              (draft, file) -> draft.logFile = file,
              Launch::logFile),
          setting(
              "access-log",
              Kind.SWITCH,
              "Print a line for each request to the standard output, in the common log format.",
              (draft, on) -> draft.accessLog = on,
              Launch::accessLog),
          setting(
              "audit",
              Kind.FILE,
              "Write one JSON line to this file for each change of data or access, done or refused."
                  + " See docs/audit.md.",
              (draft, file) -> draft.server.audit(one -> one.withFile(file)),
              launch -> launch.server().audit().file()),
          setting(
              "audit-mib",
              Kind.MEBIBYTES,
              "The size beyond which the audit begins a new file.",
              (draft, mib) ->
                  draft.server.audit(one -> one.withFileBytesMax(Math.max(1, mib) * MIB)),
              launch -> (int) (launch.server().audit().fileBytesMax() / MIB)),
          setting(
              "audit-files",
              Kind.COUNT,
              "The number of files of the audit that are kept, with the current one.",
              (draft, files) ->
                  draft.server.audit(
                      one -> one.withFilesMax(Math.min(AuditConfig.FILES_MAX, Math.max(1, files)))),
              launch -> launch.server().audit().filesMax()),
          setting(
              "otlp-endpoint",
              Kind.URL,
              "Send a trace span for each request to this OpenTelemetry collector, with OTLP over"
                  + " HTTP: http://127.0.0.1:4318. See docs/metrics.md.",
              (draft, collector) -> draft.server.otlpEndpoint(collector),
              launch -> launch.server().otlpEndpoint()),
          setting(
              "scrub-hours",
              Kind.COUNT,
              "The time between two rounds in which the server reads everything that it stores, to"
                  + " find damage. 0 for rounds that lazuli scrub now requests. Only with engine"
                  + " rocksdb.",
              (draft, hours) -> draft.server.scrubInterval(Duration.ofHours(hours)),
              launch -> (int) launch.server().scrub().interval().toHours()),
          setting(
              "scrub-rate",
              Kind.MEBIBYTES,
              "The maximum rate of these reads per second, on average.",
              (draft, mib) -> draft.server.scrubBytesPerSecond(Math.max(1, mib) * MIB),
              launch -> (int) (launch.server().scrub().bytesPerSecond() / MIB)),
          setting(
              "stop-seconds",
              Kind.SECONDS,
              "After SIGTERM or Ctrl-C the process ends within this time, even if a part hangs.",
              (draft, seconds) -> draft.stopTimeMax = Duration.ofSeconds(seconds),
              launch -> (int) launch.stopTimeMax().toSeconds()));

  private static final List<Setting> BACKUP =
      List.of(
          setting(
              "backup-target",
              Kind.BACKUP_TARGET,
              "Where scheduled backups go: a folder, or the URL of a container with a shared access"
                  + " signature. See docs/backup.md.",
              (draft, target) -> draft.server.backup(one -> one.withTarget(target)),
              launch -> launch.server().backup().target()),
          setting(
              "backup-minutes",
              Kind.COUNT,
              "The time between two scheduled backups. 0 for none.",
              (draft, minutes) -> draft.server.backup(one -> one.withMinutes(minutes)),
              launch -> launch.server().backup().minutes()),
          setting(
              "backup-keep",
              Kind.COUNT,
              "The number of backups that stay after a scheduled one; older ones are removed. 0 for"
                  + " all.",
              (draft, keep) -> draft.server.backup(one -> one.withKeep(keep)),
              launch -> launch.server().backup().keep()),
          setting(
              "backup-rate",
              Kind.COUNT,
              "The most MiB per second that a scheduled backup copies. 0 for no limit.",
              (draft, rate) -> draft.server.backup(one -> one.withRateMib(rate)),
              launch -> launch.server().backup().rateMib()),
          setting(
              "backup-accounts",
              Kind.SWITCH,
              "Include the accounts file, with its keys, in scheduled backups.",
              (draft, on) -> draft.server.backup(one -> one.withAccounts(on)),
              launch -> launch.server().backup().accounts()),
          setting(
              "backup-archive",
              Kind.SWITCH,
              "Archive every change in the backup target within 10 seconds, so that lazuli restore"
                  + " --at can restore any moment. Only with engine rocksdb.",
              (draft, on) -> draft.server.backup(one -> one.withArchive(on)),
              launch -> launch.server().backup().archive()),
          setting(
              "backup-archive-disk",
              Kind.MEBIBYTES,
              "The disk space in the data folder for changes that wait for the archive. If more"
                  + " wait, the archive gets a gap.",
              (draft, mib) -> draft.server.backup(one -> one.withArchiveDiskMib(mib)),
              launch -> launch.server().backup().archiveDiskMib()));

  /** In the order in which they are listed everywhere. */
  public static final List<Setting> ALL =
      List.of(DATA, LISTENERS, SECURITY, TOKENS, BEHAVIOUR, BACKUP).stream()
          .flatMap(List::stream)
          .toList();

  private Settings() {}

  /** Returns the setting of that key; null if there is none. */
  public static @Nullable Setting find(String key) {
    return ALL.stream().filter(each -> each.key().equals(key)).findFirst().orElse(null);
  }

  static List<String> keys() {
    return ALL.stream().map(Setting::key).toList();
  }

  /** Returns the setting of a key that is written in the code. */
  public static Setting require(String key) {
    return Objects.requireNonNull(find(key), key);
  }

  private static @Nullable Map<Issuer, Path> keyFiles(Launch launch) {
    Map<Issuer, Path> files = launch.server().tokens().keyFiles();
    return files.isEmpty() ? null : files;
  }

  private static <T> @Nullable List<T> orNull(List<T> values) {
    return values.isEmpty() ? null : values;
  }

  private static @Nullable Integer webPort(Launch launch) {
    ListenAddress address = launch.server().listeners().web();
    return address == null ? null : address.port();
  }

  private static @Nullable Integer onePort(Launch launch) {
    ListenAddress address = launch.server().listeners().onePort();
    return address == null ? null : address.port();
  }

  private static @Nullable AllowedSources copySources(Launch launch) {
    AllowedSources sources = launch.server().protocol().copySources();
    return sources.isEmpty() ? null : sources;
  }

  private static @Nullable Rehearsal rehearsal(Launch launch) {
    Rehearsal rehearsal = launch.server().rehearsal();
    return rehearsal.isOff() ? null : rehearsal;
  }

  private static <T> @Nullable T tls(Launch launch, Function<TlsFiles, @Nullable T> part) {
    TlsFiles files = launch.server().listeners().tls();
    return files == null ? null : part.apply(files);
  }
}
