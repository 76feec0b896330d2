package io.lazuli.storage.hbase;

import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.format.FormatSettings;
import io.lazuli.storage.hbase.login.ClusterUser;
import io.lazuli.storage.hbase.reclaim.ReclaimSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the engine. They are keys of the configuration file that also holds the settings
 * of HBase.
 *
 * @param namespace the namespace of the HBase tables; one cluster can hold several stores
 * @param user the user name for a cluster that does not require Kerberos
 * @param calls the number of calls that are under way at each region server
 * @param queued the number of calls that wait for each region server
 * @param transactions the number of transactions that are in progress; above the calls of several
 *     region servers, so that one that does not answer cannot stop the others
 * @param reclaim how the records of dropped spaces are removed
 * @param silence if a region server has answered nothing for this long, its next answer to a read
 *     is checked before it is trusted; must be below two thirds of the servers' session timeout
 * @param lease how long this server may answer for a space without reading whether it was dropped;
 *     zero to read it for every request. A drop takes a quarter longer than the longest lease
 * @param chunkGrace how long a deleted chunk stays readable for readers that opened it before
 * @param balance the settings for splitting and merging ranges
 * @param format the format that the store may have
 * @param pushdown when region servers that have the filter evaluate the conditions of queries
 */
record HBaseSettings(
    String namespace,
    String user,
    Durability durability,
    int calls,
    int queued,
    int transactions,
    ReclaimSettings reclaim,
    Duration silence,
    Duration lease,
    Duration chunkGrace,
    BalanceSettings balance,
    FormatSettings format,
    Pushdown.Mode pushdown) {
  static final String NAMESPACE = "lazuli.namespace";
  static final String USER = "lazuli.user";
  static final String CALLS = "lazuli.server.calls";
  static final String QUEUED = "lazuli.server.queued";
  static final String TRANSACTIONS = "lazuli.transactions";
  static final String RECLAIM_AFTER = "lazuli.reclaim.after.seconds";
  static final String RECLAIM_RATE = "lazuli.reclaim.rows.per.second";
  static final String RECLAIM_CUT_ROWS = "lazuli.reclaim.cut.rows";
  static final String RECLAIM_CUT_MIB = "lazuli.reclaim.cut.mib";
  static final String SILENCE = "lazuli.read.silence.millis";
  static final String LEASE = "lazuli.lease.millis";
  static final String CHUNK_GRACE = "lazuli.chunk.grace.seconds";
  static final String CHUNK_FOLDER = "lazuli.chunk.folder";
  static final String BALANCE = "lazuli.balance";
  static final String BALANCE_ROUND = "lazuli.balance.round.seconds";
  static final String BALANCE_HOT_RATE = "lazuli.balance.hot.requests.per.second";
  static final String BALANCE_HOT_ROUNDS = "lazuli.balance.hot.rounds";
  static final String BALANCE_COLD = "lazuli.balance.cold.seconds";
  static final String BALANCE_REST = "lazuli.balance.rest.seconds";
  static final String BALANCE_PER_HOUR = "lazuli.balance.operations.per.hour";
  static final String BALANCE_MERGE_MIB = "lazuli.balance.merge.mib.max";
  static final String BALANCE_RANGES_MIN = "lazuli.balance.ranges.min";

  static final String FORMAT_MAX = "lazuli.format.max";
  static final String FORMAT_LEASE = "lazuli.format.lease.seconds";
  static final String PUSHDOWN = "lazuli.pushdown";

  private static final String PREFIX = "lazuli.";
  private static final Set<String> KEYS =
      Set.of(
          NAMESPACE,
          USER,
          CALLS,
          QUEUED,
          TRANSACTIONS,
          RECLAIM_AFTER,
          RECLAIM_RATE,
          RECLAIM_CUT_ROWS,
          RECLAIM_CUT_MIB,
          SILENCE,
          LEASE,
          CHUNK_GRACE,
          CHUNK_FOLDER,
          BALANCE,
          BALANCE_ROUND,
          BALANCE_HOT_RATE,
          BALANCE_HOT_ROUNDS,
          BALANCE_COLD,
          BALANCE_REST,
          BALANCE_PER_HOUR,
          BALANCE_MERGE_MIB,
          BALANCE_RANGES_MIN,
          FORMAT_MAX,
          FORMAT_LEASE,
          PUSHDOWN,
          ClusterUser.ZOOKEEPER_SASL);

  /**
   * HBase's own setting: the milliseconds of silence after which a region server counts as dead.
   */
  private static final String SESSION = "zookeeper.session.timeout";

  private static final int COUNT_MAX = 1_000_000;

  /** With longer leases, a drop would take longer than a request may. */
  private static final Duration LEASE_MAX = Duration.ofSeconds(10);

  static final HBaseSettings DEFAULT =
      new HBaseSettings(
          "lazuli",
          "lazuli",
          Durability.DISK,
          128,
          4_096,
          16_384,
          ReclaimSettings.DEFAULT,
          Duration.ofSeconds(5),
          Duration.ofSeconds(1),
          Duration.ofMinutes(10),
          BalanceSettings.DEFAULT,
          FormatSettings.DEFAULT,
          Pushdown.Mode.ON);

  /** Rejects settings with which the engine could not work. */
  HBaseSettings {
    require(namespace.matches("[A-Za-z0-9_]+"), NAMESPACE, "letters, digits and _", namespace);
    require(!user.isBlank(), USER, "a name", user);
    requireCount(CALLS, calls);
    requireCount(QUEUED, queued);
    requireCount(TRANSACTIONS, transactions);
    require(silence.toMillis() > 0, SILENCE, "at least 1", silence.toMillis());
    require(
        !lease.isNegative() && lease.compareTo(LEASE_MAX) <= 0,
        LEASE,
        "from 0 to 10000",
        lease.toMillis());
    require(!chunkGrace.isNegative(), CHUNK_GRACE, "at least 0", chunkGrace.toSeconds());
  }

  HBaseSettings withDurability(Durability newDurability) {
    return new HBaseSettings(
        namespace,
        user,
        newDurability,
        calls,
        queued,
        transactions,
        reclaim,
        silence,
        lease,
        chunkGrace,
        balance,
        format,
        pushdown);
  }

  HBaseSettings withCalls(int newCalls, int newQueued) {
    return new HBaseSettings(
        namespace,
        user,
        durability,
        newCalls,
        newQueued,
        transactions,
        reclaim,
        silence,
        lease,
        chunkGrace,
        balance,
        format,
        pushdown);
  }

  HBaseSettings withTransactions(int newTransactions) {
    return new HBaseSettings(
        namespace,
        user,
        durability,
        calls,
        queued,
        newTransactions,
        reclaim,
        silence,
        lease,
        chunkGrace,
        balance,
        format,
        pushdown);
  }

  HBaseSettings withReclaimAfter(Duration newReclaimAfter) {
    return withReclaim(reclaim.withAfter(newReclaimAfter));
  }

  HBaseSettings withReclaim(ReclaimSettings newReclaim) {
    return new HBaseSettings(
        namespace,
        user,
        durability,
        calls,
        queued,
        transactions,
        newReclaim,
        silence,
        lease,
        chunkGrace,
        balance,
        format,
        pushdown);
  }

  HBaseSettings withBalance(BalanceSettings newBalance) {
    return new HBaseSettings(
        namespace,
        user,
        durability,
        calls,
        queued,
        transactions,
        reclaim,
        silence,
        lease,
        chunkGrace,
        newBalance,
        format,
        pushdown);
  }

  HBaseSettings withChunkGrace(Duration newChunkGrace) {
    return new HBaseSettings(
        namespace,
        user,
        durability,
        calls,
        queued,
        transactions,
        reclaim,
        silence,
        lease,
        newChunkGrace,
        balance,
        format,
        pushdown);
  }

  HBaseSettings withLease(Duration newLease) {
    return new HBaseSettings(
        namespace,
        user,
        durability,
        calls,
        queued,
        transactions,
        reclaim,
        silence,
        newLease,
        chunkGrace,
        balance,
        format,
        pushdown);
  }

  HBaseSettings withFormat(FormatSettings newFormat) {
    return new HBaseSettings(
        namespace,
        user,
        durability,
        calls,
        queued,
        transactions,
        reclaim,
        silence,
        lease,
        chunkGrace,
        balance,
        newFormat,
        pushdown);
  }

  HBaseSettings withPushdown(Pushdown.Mode newPushdown) {
    return new HBaseSettings(
        namespace,
        user,
        durability,
        calls,
        queued,
        transactions,
        reclaim,
        silence,
        lease,
        chunkGrace,
        balance,
        format,
        newPushdown);
  }

  /** Reads the settings from a configuration, with defaults for missing keys. */
  static HBaseSettings of(Configuration site) {
    requireKnown(site);
    return new HBaseSettings(
        site.get(NAMESPACE, DEFAULT.namespace),
        site.get(USER, DEFAULT.user),
        DEFAULT.durability,
        whole(site, CALLS, DEFAULT.calls),
        whole(site, QUEUED, DEFAULT.queued),
        whole(site, TRANSACTIONS, DEFAULT.transactions),
        reclaim(site),
        Duration.ofMillis(number(site, SILENCE, DEFAULT.silence.toMillis())),
        Duration.ofMillis(number(site, LEASE, DEFAULT.lease.toMillis())),
        Duration.ofSeconds(number(site, CHUNK_GRACE, DEFAULT.chunkGrace.toSeconds())),
        balance(site),
        format(site),
        pushdown(site.get(PUSHDOWN, "on")));
  }

  /** Returns the folder in which chunks of several pieces are files; null if they are cells. */
  static @Nullable URI chunkFolder(Configuration site) {
    String place = site.getTrimmed(CHUNK_FOLDER, "");
    if (place.isEmpty()) {
      return null;
    }
    try {
      URI folder = new URI(place);
      // In local files, a chunk would be on one machine only.
      require(
          folder.isAbsolute()
              && !"file".equals(folder.getScheme())
              && folder.getPath() != null
              && folder.getPath().startsWith("/"),
          CHUNK_FOLDER,
          "an address in HDFS such as hdfs://name-node/lazuli",
          place);
      return folder;
    } catch (URISyntaxException e) {
      throw refused(CHUNK_FOLDER, "an address in HDFS such as hdfs://name-node/lazuli", place);
    }
  }

  /**
   * Returns a warning if the cluster's session timeout is too short for {@code silence}. An
   * unchecked read is correct only while no other server can have taken over the region. A session
   * lasts at least two thirds of its timeout after the server's last answer, and {@code silence}
   * must not be longer.
   */
  Optional<String> warning(Configuration site) {
    long session = site.getLong(SESSION, Long.MAX_VALUE);
    long sessionMin = silence.toMillis() * 3 / 2;
    return session >= sessionMin
        ? Optional.empty()
        : Optional.of(
            String.format(
                "%s is %d, but must be at least %d with %s = %d: otherwise reads may be stale after"
                    + " a region server was paused",
                SESSION, session, sessionMin, SILENCE, silence.toMillis()));
  }

  /** Rejects unknown keys: a misspelt setting would silently have no effect. */
  private static void requireKnown(Configuration site) {
    for (Map.Entry<String, String> entry : site) {
      if (entry.getKey().startsWith(PREFIX) && !KEYS.contains(entry.getKey())) {
        throw new EngineOpenException("unknown setting " + entry.getKey(), null);
      }
    }
  }

  private static long number(Configuration site, String key, long normal) {
    try {
      return site.getLong(key, normal);
    } catch (NumberFormatException e) {
      throw refused(key, "a whole number", site.get(key));
    }
  }

  private static int whole(Configuration site, String key, int normal) {
    return (int) Math.min(Integer.MAX_VALUE, number(site, key, normal));
  }

  private static void require(boolean holds, String key, String expected, Object found) {
    if (!holds) {
      throw refused(key, expected, found);
    }
  }

  private static Pushdown.Mode pushdown(String word) {
    return switch (word) {
      case "on" -> Pushdown.Mode.ON;
      case "always" -> Pushdown.Mode.ALWAYS;
      case "off" -> Pushdown.Mode.OFF;
      default -> throw refused(PUSHDOWN, "on, always or off", word);
    };
  }

  private static void requireCount(String key, int found) {
    require(found > 0 && found <= COUNT_MAX, key, "from 1 to 1000000", found);
  }

  private static EngineOpenException refused(String key, String expected, Object found) {
    return new EngineOpenException(key + ": expected " + expected + ", found " + found, null);
  }

  private static ReclaimSettings reclaim(Configuration site) {
    ReclaimSettings normal = ReclaimSettings.DEFAULT;
    try {
      return new ReclaimSettings(
          Duration.ofSeconds(number(site, RECLAIM_AFTER, normal.after().toSeconds())),
          whole(site, RECLAIM_RATE, normal.rowsPerSecond()),
          number(site, RECLAIM_CUT_ROWS, normal.cutRows()),
          number(site, RECLAIM_CUT_MIB, normal.cutBytes() >> 20) << 20);
    } catch (IllegalArgumentException e) {
      throw new EngineOpenException("lazuli.reclaim: " + e.getMessage(), e);
    }
  }

  private static FormatSettings format(Configuration site) {
    FormatSettings normal = FormatSettings.DEFAULT;
    try {
      return new FormatSettings(
          whole(site, FORMAT_MAX, normal.max()),
          Duration.ofSeconds(number(site, FORMAT_LEASE, normal.lease().toSeconds())));
    } catch (IllegalArgumentException e) {
      throw new EngineOpenException("lazuli.format: " + e.getMessage(), e);
    }
  }

  private static BalanceSettings balance(Configuration site) {
    BalanceSettings normal = BalanceSettings.DEFAULT;
    try {
      return new BalanceSettings(
          mode(site.get(BALANCE, "on")),
          Duration.ofSeconds(site.getLong(BALANCE_ROUND, normal.round().toSeconds())),
          site.getDouble(BALANCE_HOT_RATE, normal.hotRate()),
          site.getInt(BALANCE_HOT_ROUNDS, normal.hotRounds()),
          Duration.ofSeconds(site.getLong(BALANCE_COLD, normal.coldTime().toSeconds())),
          Duration.ofSeconds(site.getLong(BALANCE_REST, normal.pause().toSeconds())),
          site.getInt(BALANCE_PER_HOUR, normal.operationsPerHour()),
          site.getLong(BALANCE_MERGE_MIB, normal.mergeBytesMax() >> 20) << 20,
          site.getInt(BALANCE_RANGES_MIN, normal.rangesMin()));
    } catch (IllegalArgumentException e) {
      throw new EngineOpenException("lazuli.balance: " + e.getMessage(), e);
    }
  }

  private static BalanceSettings.Mode mode(String word) {
    return switch (word) {
      case "on" -> BalanceSettings.Mode.ON;
      case "dry-run" -> BalanceSettings.Mode.DRY_RUN;
      case "off" -> BalanceSettings.Mode.OFF;
      default -> throw new IllegalArgumentException("expected on, dry-run or off, found " + word);
    };
  }
}
