package io.lazuli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Kerberos and TLS of a cluster: the files that its processes and their clients need, and the
 * settings that name them.
 */
final class ClusterSecurity {
  static final String REALM = "LAZULI.TEST";

  /** A user with the rights of a Lazuli server, and one without any. */
  static final String LAZULI = "lazuli@" + REALM;

  static final String STRANGER = "stranger@" + REALM;

  private static final String HBASE = "hbase/localhost@" + REALM;
  private static final String HDFS = "hdfs/localhost@" + REALM;
  private static final String HTTP = "HTTP/localhost@" + REALM;
  private static final String ZOOKEEPER = "zookeeper/localhost@" + REALM;
  private static final String SERVERS = "servers";

  /**
   * Servers cannot have short tickets: ZooKeeper tries to renew one without a pause in its last
   * minute.
   */
  private static final Duration SERVER_TICKET = Duration.ofHours(10);

  private static final String PASSWORD = "changeit";
  private static final String ZOOKEEPER_SETTING = "hbase.zookeeper.property.";
  private static final String ZOOKEEPER_PORT = ZOOKEEPER_SETTING + "clientPort";
  private static final String ZOOKEEPER_SECURE = ZOOKEEPER_SETTING + "client.secure";
  private static final String ZOOKEEPER_SOCKET = ZOOKEEPER_SETTING + "clientCnxnSocket";

  private final Security security;
  private final Path folder;
  private final int kdcPort = FreePort.find();
  private final int secureZooKeeperPort = FreePort.find();

  ClusterSecurity(Security security, Path folder) {
    this.security = security;
    this.folder = folder;
  }

  void write() throws IOException {
    if (security.kerberos()) {
      Files.createDirectories(folder.resolve("kdc"));
      Files.writeString(serverKrb5Conf(), krb5Conf(SERVER_TICKET));
      Files.writeString(clientKrb5Conf(), krb5Conf(security.ticketLife().orElseThrow()));
    }
    if (security.tls()) {
      Files.createDirectories(folder);
      makeKeyStore("server");
      makeKeyStore("other");
    }
  }

  private Path serverKrb5Conf() {
    return folder.resolve("krb5-servers.conf");
  }

  /** Returns the file with which clients find the key distribution centre. */
  Path clientKrb5Conf() {
    return folder.resolve("krb5.conf");
  }

  private String krb5Conf(Duration ticketLife) {
    return """
        [libdefaults]
          default_realm = %1$s
          ticket_lifetime = %2$ds
          udp_preference_limit = 1
          dns_lookup_kdc = false
          dns_lookup_realm = false
          dns_canonicalize_hostname = false
          kdc_timeout = 10000
          max_retries = 3
        [realms]
          %1$s = {
            kdc = 127.0.0.1:%3$d
          }
        """
        .formatted(REALM, ticketLife.toSeconds(), kdcPort);
  }

  Path keytab(String name) {
    return folder.resolve(name + ".keytab");
  }

  /** Returns the trust store with the certificate of the cluster, or one of somebody else. */
  Path trustStore(String name) {
    return folder.resolve(name + "-trust.p12");
  }

  /** Returns the arguments of the key distribution centre. */
  List<String> kdcArguments() {
    return List.of(
        folder.resolve("kdc").toString(),
        String.valueOf(kdcPort),
        String.valueOf(SERVER_TICKET.toSeconds()),
        keytab("lazuli") + " lazuli",
        keytab("stranger") + " stranger",
        keytab(SERVERS) + " hbase/localhost hdfs/localhost HTTP/localhost zookeeper/localhost");
  }

  boolean hasKeytabs() {
    return Files.exists(keytab(SERVERS));
  }

  /** Returns the options of the JVMs of the cluster. */
  List<String> serverOptions() {
    return options(serverKrb5Conf());
  }

  /** Returns the options of the JVMs of clients. */
  List<String> clientOptions() {
    return options(clientKrb5Conf());
  }

  private List<String> options(Path krb5Conf) {
    return security.kerberos() ? List.of("-Djava.security.krb5.conf=" + krb5Conf) : List.of();
  }

  /** Adds the settings that servers and clients have in common. */
  void addCommon(Map<String, String> settings) {
    if (security.kerberos()) {
      settings.put("hadoop.security.authentication", "kerberos");
      settings.put("hbase.security.authentication", "kerberos");
      settings.put("hbase.rpc.protection", security.tls() ? "authentication" : "privacy");
      settings.put("hbase.master.kerberos.principal", HBASE);
      settings.put("hbase.regionserver.kerberos.principal", HBASE);
      settings.put("hadoop.rpc.protection", "privacy");
      settings.put("dfs.namenode.kerberos.principal", HDFS);
      settings.put("dfs.data.transfer.protection", "privacy");
    }
    if (security.tls()) {
      settings.put("hbase.client.netty.tls.enabled", "true");
      addTrust(settings, "hbase.rpc.tls.", "server");
      settings.put(ZOOKEEPER_PORT, String.valueOf(secureZooKeeperPort));
      settings.put(ZOOKEEPER_SECURE, "true");
      settings.put(ZOOKEEPER_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
      settings.put(ZOOKEEPER_SETTING + "ssl.trustStore.location", trustStore("server").toString());
      settings.put(ZOOKEEPER_SETTING + "ssl.trustStore.password", PASSWORD);
    }
  }

  /**
   * Changes the settings of all servers into those of ZooKeeper, which also listens without TLS:
   * for the questions about the cluster, which its process answers.
   */
  void changeForZooKeeper(Map<String, String> settings, int plainPort) {
    if (security.tls()) {
      settings.put(ZOOKEEPER_PORT, String.valueOf(plainPort));
      settings.remove(ZOOKEEPER_SECURE);
      settings.remove(ZOOKEEPER_SOCKET);
      settings.put(ZOOKEEPER_SETTING + "secureClientPort", String.valueOf(secureZooKeeperPort));
      settings.put(
          ZOOKEEPER_SETTING + "serverCnxnFactory",
          "org.apache.zookeeper.server.NettyServerCnxnFactory");
      settings.put(ZOOKEEPER_SETTING + "ssl.keyStore.location", keyStore("server").toString());
      settings.put(ZOOKEEPER_SETTING + "ssl.keyStore.password", PASSWORD);
      settings.put(ZOOKEEPER_SETTING + "ssl.clientAuth", "none");
    }
  }

  private void addTrust(Map<String, String> settings, String prefix, String name) {
    settings.put(prefix + "truststore.location", trustStore(name).toString());
    settings.put(prefix + "truststore.password", PASSWORD);
    settings.put(prefix + "truststore.type", "pkcs12");
  }

  /** Adds the settings of clients alone. */
  void addClient(Map<String, String> settings) {
    if (security.kerberos()) {
      settings.put("hbase.client.keytab.file", keytab("lazuli").toString());
      settings.put("hbase.client.keytab.principal", LAZULI);
      settings.put("lazuli.zookeeper.sasl", "on");
    }
  }

  /** Adds the settings of the servers of HBase and of ZooKeeper. */
  void addServer(Map<String, String> settings) {
    if (security.tls()) {
      settings.put("hbase.server.netty.tls.enabled", "true");
      settings.put("hbase.server.netty.tls.supportplaintext", "false");
      settings.put("hbase.rpc.tls.keystore.location", keyStore("server").toString());
      settings.put("hbase.rpc.tls.keystore.password", PASSWORD);
      settings.put("hbase.rpc.tls.keystore.type", "pkcs12");
      settings.put("hbase.server.netty.tls.client.auth.mode", "none");
    }
    if (security.kerberos()) {
      String keytab = keytab(SERVERS).toString();
      for (String server : new String[] {"hbase.master", "hbase.regionserver"}) {
        settings.put(server + ".keytab.file", keytab);
      }
      // The process that answers questions about the cluster is a client, too.
      settings.put("hbase.client.keytab.file", keytab);
      settings.put("hbase.client.keytab.principal", HBASE);
      settings.put("hbase.security.authorization", "true");
      // Otherwise everybody may call endpoints.
      settings.put("hbase.security.exec.permission.checks", "true");
      String controller = "org.apache.hadoop.hbase.security.access.AccessController";
      settings.put("hbase.coprocessor.master.classes", controller);
      settings.put("hbase.coprocessor.region.classes", controller);
      settings.put("hbase.coprocessor.regionserver.classes", controller);
      settings.put("hbase.zookeeper.server.keytab.file", keytab);
      settings.put("hbase.zookeeper.server.kerberos.principal", ZOOKEEPER);
      settings.put("hbase.zookeeper.client.keytab.file", keytab);
      settings.put("hbase.zookeeper.client.kerberos.principal", HBASE);
      settings.put(
          ZOOKEEPER_SETTING + "authProvider.1",
          "org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
      settings.put(ZOOKEEPER_SETTING + "kerberos.removeHostFromPrincipal", "true");
      settings.put(ZOOKEEPER_SETTING + "kerberos.removeRealmFromPrincipal", "true");
    }
  }

  /** Adds the settings that all servers of Hadoop have in common. */
  void addCore(Map<String, String> settings) {
    if (security.kerberos()) {
      settings.put("hadoop.security.authentication", "kerberos");
      settings.put("hadoop.rpc.protection", "privacy");
    }
  }

  /** Adds the settings of name and data nodes. */
  void addHdfs(Map<String, String> settings) {
    if (!security.kerberos()) {
      return;
    }
    String keytab = keytab(SERVERS).toString();
    settings.put("dfs.block.access.token.enable", "true");
    settings.put("dfs.data.transfer.protection", "privacy");
    // The ports of the data nodes are not privileged, and their pages have no certificate.
    settings.put("ignore.secure.ports.for.testing", "true");
    settings.put("dfs.web.authentication.kerberos.principal", HTTP);
    settings.put("dfs.web.authentication.kerberos.keytab", keytab);
    for (String node : new String[] {"dfs.namenode", "dfs.datanode"}) {
      settings.put(node + ".kerberos.principal", HDFS);
      settings.put(node + ".keytab.file", keytab);
    }
  }

  private Path keyStore(String name) {
    return folder.resolve(name + ".p12");
  }

  /** Makes a key with a certificate for loopback, and a trust store that contains it. */
  private void makeKeyStore(String name) {
    String store = keyStore(name).toString();
    String certificate = folder.resolve(name + ".crt").toString();
    keytool(
        "-genkeypair",
        "-keyalg",
        "EC",
        "-dname",
        "CN=localhost",
        "-validity",
        "30",
        "-ext",
        "SAN=dns:localhost,ip:127.0.0.1",
        "-alias",
        name,
        "-keystore",
        store);
    keytool("-exportcert", "-alias", name, "-keystore", store, "-file", certificate);
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        name,
        "-file",
        certificate,
        "-keystore",
        trustStore(name).toString());
  }

  private static void keytool(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    Command.run(command.toArray(new String[0]));
  }
}
