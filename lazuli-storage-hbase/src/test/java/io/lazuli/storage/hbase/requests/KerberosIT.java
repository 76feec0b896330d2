package io.lazuli.storage.hbase.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.cluster.LazuliNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Packed servers on a cluster in which everything asks for Kerberos: HBase, which checks the rights
 * of its clients, HDFS and ZooKeeper. Tickets live for a short time.
 */
@Tag("long")
@Timeout(1_800)
final class KerberosIT {
  private static final Duration LIFE = Duration.ofSeconds(60);
  private static final int LIVES = 3;
  private static final String RIGHTS = "RWXCA";

  private static Cluster cluster;
  private LazuliNode server;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterSpec.of(1).withHdfs().withKerberos(LIFE));
    cluster.grant("lazuli", "lazuli", RIGHTS);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.process().kill();
    }
  }

  /** The cache is never filled again: its ticket is renewed. */
  @Test
  void serversWorkOverManyLivesOfTheirTickets(@TempDir Path folder) throws Exception {
    server = servers().start();
    LazuliNode other = servers().withTicketCache(cache(folder, "-r", "30m")).start();
    try (SecureLoad keytab = SecureLoad.start(TestAccount.development(server));
        SecureLoad ticketCache = SecureLoad.start(TestAccount.development(other))) {
      keytab.awaitMore(Duration.ofMinutes(2));
      ticketCache.awaitMore(Duration.ofMinutes(2));
      Instant end = Instant.now().plus(LIFE.multipliedBy(LIVES));
      while (Instant.now().isBefore(end)) {
        PacedClients.pass(LIFE.dividedBy(4));
        keytab.requireNoWrongAnswers();
        ticketCache.requireNoWrongAnswers();
      }
      // Both connect again, for which they need the tickets of the moment.
      cluster.regionServers().get(0).restart();
      keytab.awaitMore(Duration.ofMinutes(4));
      ticketCache.awaitMore(Duration.ofMinutes(4));
      System.out.println("with a keytab, over " + LIVES + " lives of a ticket: " + keytab);
      System.out.println("with a ticket cache: " + ticketCache);
    } finally {
      other.process().kill();
    }
    // A first ticket, and two for each life.
    assertThat(issued("AS_REQ")).isGreaterThan(LIVES);
    assertThat(issued("TGS_REQ")).isGreaterThan(LIVES);
  }

  /** Returns how many tickets the centre has given to Lazuli for itself. */
  private static long issued(String request) throws IOException {
    String words = request + " ISSUE: .*lazuli@LAZULI.TEST for krbtgt/.*";
    return Files.readAllLines(cluster.kdc().log()).stream()
        .filter(line -> line.matches(".*" + words))
        .count();
  }

  /** ZooKeeper's client does not work with tickets that end within a minute. */
  private static SecureServers servers() {
    return new SecureServers(cluster).with("lazuli.zookeeper.sasl", "off");
  }

  /** The ticket of a cache cannot be renewed without the centre, but a new one can be read. */
  @Test
  void aTicketThatCannotBeRenewedIsReportedAndANewOneIsUsed(@TempDir Path folder) throws Exception {
    Path cache = cache(folder);
    Path later = cache(Files.createDirectory(folder.resolve("later")), "-l", "1h");
    server = servers().withTicketCache(cache).start();
    String unused = server.connectionString();
    cluster.kdc().pause();
    try {
      awaitHealth("the Kerberos ticket of lazuli@LAZULI.TEST ends at ", "there is no new one");
      Files.copy(later, cache, StandardCopyOption.REPLACE_EXISTING);
      awaitHealth("\"status\":\"ok\"");
    } finally {
      cluster.kdc().resume();
    }
  }

  @Test
  void aCentreThatIsAwayForATimeIsReported() throws Exception {
    server = servers().start();
    String unused = server.connectionString();
    cluster.kdc().pause();
    try {
      awaitHealth("the Kerberos ticket of lazuli@LAZULI.TEST ended at ");
    } finally {
      cluster.kdc().resume();
    }
    awaitHealth("\"status\":\"ok\"");
  }

  private void awaitHealth(String... words) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(4))
        .untilAsserted(() -> assertThat(SecureServers.health(server)).contains(words));
  }

  @Test
  void whoHasNoTicketIsRefused(@TempDir Path folder) throws Exception {
    assertThat(
            servers()
                .with("lazuli.chunk.folder", "")
                .with("hbase.security.authentication", "simple")
                .with("hadoop.security.authentication", "simple")
                .refusal())
        .last()
        .asString()
        .startsWith("lazuli: ");
    assertThat(servers().withTicketCache(folder.resolve("none")).refusal())
        .singleElement()
        .asString()
        .startsWith("lazuli: cannot log in to Kerberos: the ticket cache ")
        .endsWith("none does not exist: run kinit");
  }

  @Test
  void anExpiredCacheIsRefused(@TempDir Path folder) throws Exception {
    Path cache = cache(folder, "-l", "5s");
    PacedClients.pass(Duration.ofSeconds(6));
    assertThat(servers().withTicketCache(cache).refusal())
        .singleElement()
        .asString()
        .endsWith(" has no ticket that is valid: run kinit");
  }

  @Test
  void aWrongKeytabOrPrincipalIsRefusedWithOneLine() throws Exception {
    assertThat(
            servers()
                .with("hbase.client.keytab.file", cluster.keytab("stranger").toString())
                .refusal())
        .singleElement()
        .asString()
        .endsWith("stranger.keytab has no key of lazuli@LAZULI.TEST");
  }

  @Test
  void theDocumentedRightsAreEnoughAndFewerAreRefused() throws Exception {
    // Not the namespace of the other cases: it must not exist.
    SecureServers other = servers().with("lazuli.namespace", "fresh");
    assertThat(firstLine(other)).startsWith("lazuli: this user may not create tables; run in");
    cluster.grant("lazuli", "fresh", "RWX");
    assertThat(firstLine(other)).startsWith("lazuli: this user may not create tables; run in");
    cluster.grant("lazuli", "fresh", RIGHTS);
    server = other.start();
    assertThat(server.connectionString()).isNotEmpty();
    server.process().kill();

    // Who has made the tables may do everything with them, so somebody else tries it now.
    other
        .with("hbase.client.keytab.file", cluster.keytab("stranger").toString())
        .with("hbase.client.keytab.principal", "stranger");
    assertThat(firstLine(other)).contains("AccessDeniedException");
    cluster.grant("stranger", "fresh", "RWCA");
    assertThat(firstLine(other)).contains("AccessDeniedException");
    cluster.grant("stranger", "fresh", "XCA");
    assertThat(firstLine(other)).contains("AccessDeniedException");
    cluster.grant("stranger", "fresh", RIGHTS);
    server = other.start();
    assertThat(server.connectionString()).isNotEmpty();
  }

  private static String firstLine(SecureServers servers) throws IOException {
    return servers.refusal().stream()
        .filter(line -> line.startsWith("lazuli: "))
        .findFirst()
        .orElseThrow();
  }

  /** Fills a ticket cache. */
  private static Path cache(Path folder, String... options)
      throws IOException, InterruptedException {
    Path cache = folder.resolve("cache");
    Path keytab = cluster.keytab("lazuli");
    List<String> command =
        new ArrayList<>(List.of("kinit", "-k", "-t", keytab.toString(), "-c", cache.toString()));
    command.addAll(List.of(options));
    command.add("lazuli");
    assumeTrue(
        SecureServers.run(cluster.krb5Conf(), command.toArray(new String[0])),
        "kinit is not installed");
    assertThat(Files.exists(cache)).isTrue();
    return cache;
  }
}
