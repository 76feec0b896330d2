package io.lazuli.storage.hbase.requests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.LazuliNode;
import io.lazuli.storage.hbase.requests.PacedClients.Done;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lazuli has spread the homes of accounts over all region servers. One of them dies that holds
 * homes, but no data. Only the accounts whose homes it held may wait for its recovery. Prints how
 * long each account waited.
 */
@Tag("long")
final class HomeDeathIT {
  private static final int ACCOUNTS = 8;
  private static final int POINTS = 10;
  private static final int CLIENTS = 2;
  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final Duration AROUND = Duration.ofSeconds(5);
  private static final Duration RECOVERY_MAX = Duration.ofMinutes(3);
  private static final Duration SPREAD_MAX = Duration.ofMinutes(4);
  private static final TableName CATALOG = Placement.table("catalog");

  @TempDir private Path folder;

  /** An account and its clients. */
  private record Tenant(TestAccount account, HRegionLocation home, List<PacedClients> clients) {
    boolean isServedSince(long moment) {
      return clients.stream().allMatch(each -> each.allServedSince(moment));
    }
  }

  @Test
  void onlyAccountsWhoseHomeDiedWait() throws IOException {
    try (Cluster cluster = Cluster.start(PackedServers.spec(3));
        Placement placement = new Placement(cluster)) {
      PackedServers.set(cluster, "lazuli.balance.round.seconds", "1");
      PackedServers.set(cluster, "lazuli.balance.rest.seconds", "2");
      LazuliNode server =
          PackedServers.start(cluster, 1, "--accounts", accounts().toString()).get(0);
      List<Samples> samples = new ArrayList<>();
      for (int i = 0; i < ACCOUNTS; i++) {
        Samples own = new Samples(account(server, i), "home", POINTS, 1);
        own.storeEntities();
        samples.add(own);
      }
      ServerName meta = placement.serverOfMeta();
      TableName tables = Placement.table("tables");
      placement.move(Map.of(tables, placement.rows(tables)), row -> meta);
      Awaitility.await()
          .atMost(SPREAD_MAX)
          .ignoreExceptions()
          .until(() -> serversOfHomes(placement, server).containsAll(placement.servers()));
      ServerName victim =
          placement.servers().stream().filter(each -> !each.equals(meta)).findFirst().orElseThrow();
      run(cluster, placement, server, samples, victim);
    }
  }

  private static Set<ServerName> serversOfHomes(Placement placement, LazuliNode server) {
    return IntStream.range(0, ACCOUNTS)
        .mapToObj(i -> homeRow(placement, account(server, i)))
        .map(row -> placement.locate(CATALOG, row).getServerName())
        .collect(Collectors.toSet());
  }

  private void run(
      Cluster cluster,
      Placement placement,
      LazuliNode server,
      List<Samples> samples,
      ServerName victim)
      throws IOException {
    List<Tenant> tenants = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      TestAccount account = account(server, i);
      HRegionLocation home = placement.locate(CATALOG, homeRow(placement, account));
      Samples own = samples.get(i);
      List<PacedClients> clients =
          List.of(
              new PacedClients("get", CLIENTS, INTERVAL, n -> own.client(Kind.POINT_GET, n)),
              new PacedClients("insert", CLIENTS, INTERVAL, n -> own.client(Kind.INSERT, n)));
      tenants.add(new Tenant(account, home, clients));
    }
    PacedClients.pass(AROUND.multipliedBy(2));
    long killed = System.nanoTime();
    Placement.process(cluster, victim).kill();
    Awaitility.await()
        .atMost(RECOVERY_MAX)
        .until(() -> tenants.stream().allMatch(tenant -> tenant.isServedSince(killed)));
    PacedClients.pass(AROUND);
    tenants.forEach(tenant -> tenant.clients.forEach(PacedClients::close));
    judge(tenants, victim, killed);
    for (Samples each : samples) {
      assertThat(each.requireInserted()).isPositive();
    }
  }

  private static void judge(List<Tenant> tenants, ServerName victim, long killed) {
    double outage = 0;
    double longestOfOthers = 0;
    for (Tenant tenant : tenants) {
      boolean died = victim.equals(tenant.home.getServerName());
      double get = waited(tenant.clients.get(0), killed);
      double insert = waited(tenant.clients.get(1), killed);
      List<Done> done = new ArrayList<>();
      tenant.clients.forEach(each -> done.addAll(each.done()));
      System.out.printf(
          Locale.ROOT,
          "%s, home in region %s of a server that %s: no GET for %.1f s, no insert for %.1f s; %s%n",
          tenant.account.name(),
          tenant.home.getRegion().getEncodedName().substring(0, 6),
          died ? "died" : "lives",
          get,
          insert,
          PacedClients.outcomes(done));
      if (died) {
        outage = Math.max(outage, Math.max(get, insert));
      } else {
        longestOfOthers = Math.max(longestOfOthers, Math.max(get, insert));
      }
    }
    assertThat(longestOfOthers).isPositive().isLessThan(outage / 3);
  }

  /** Returns the longest time in seconds without an answer after a moment. */
  private static double waited(PacedClients clients, long killed) {
    long last = killed;
    long longest = 0;
    List<Long> ends =
        clients.done().stream()
            .filter(each -> each.outcome() == Outcome.SERVED && each.end() > killed)
            .map(Done::end)
            .sorted()
            .toList();
    for (long end : ends) {
      longest = Math.max(longest, end - last);
      last = end;
    }
    return longest / 1e9;
  }

  /** Returns a row of the home of an account's tables. */
  private static byte[] homeRow(Placement placement, TestAccount account) {
    byte[] name = (account.name() + "/table").getBytes(UTF_8);
    return placement.rows(CATALOG).stream()
        .filter(row -> Bytes.toStringBinary(row).contains(Bytes.toStringBinary(name)))
        .findFirst()
        .orElseThrow();
  }

  private Path accounts() throws IOException {
    StringBuilder text = new StringBuilder("lazuli accounts 1\n");
    for (int i = 0; i < ACCOUNTS; i++) {
      text.append("account ").append(name(i)).append(" enabled ");
      text.append(key(i)).append(' ').append(key(i)).append('\n');
    }
    Path file = Files.writeString(folder.resolve("accounts"), text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static TestAccount account(LazuliNode server, int number) {
    return new TestAccount(server, name(number), key(number));
  }

  private static String name(int number) {
    return "tenant" + number;
  }

  private static String key(int number) {
    return Base64.getEncoder().encodeToString(("a key of tenant " + number).getBytes(UTF_8));
  }
}
