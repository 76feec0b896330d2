package io.lazuli.storage.hbase;

import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.hbase.balance.BalanceSettings;
import io.lazuli.storage.hbase.reclaim.ReclaimSettings;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * What an operator may change, read from the engine's configuration file beside the settings of
 * HBase itself.
 *
 * @param namespace of the HBase tables; several stores can live in one cluster
 * @param user in whose name the cluster is asked, unless it wants Kerberos
 * @param threads how many transactions run at the same time
 * @param reclaim how the records of dropped spaces are removed
 * @param silence after which a region server's answer to a read is checked before it is trusted;
 *     must be below two thirds of the servers' session timeout
 * @param chunkGrace how long a deleted chunk stays readable for those who had opened it
 * @param balance when ranges are split and merged
 */
record HBaseSettings(
    String namespace,
    String user,
    Durability durability,
    int threads,
    ReclaimSettings reclaim,
    Duration silence,
    Duration chunkGrace,
    BalanceSettings balance) {
  static final String NAMESPACE = "lazuli.namespace";
  static final String USER = "lazuli.user";
  static final String THREADS = "lazuli.threads";
  static final String RECLAIM_AFTER = "lazuli.reclaim.after.seconds";
  static final String RECLAIM_RATE = "lazuli.reclaim.rows.per.second";
  static final String RECLAIM_CUT_ROWS = "lazuli.reclaim.cut.rows";
  static final String RECLAIM_CUT_MIB = "lazuli.reclaim.cut.mib";
  static final String SILENCE = "lazuli.read.silence.millis";
  static final String CHUNK_GRACE = "lazuli.chunk.grace.seconds";
  static final String BALANCE = "lazuli.balance";
  static final String BALANCE_ROUND = "lazuli.balance.round.seconds";
  static final String BALANCE_HOT_RATE = "lazuli.balance.hot.requests.per.second";
  static final String BALANCE_HOT_ROUNDS = "lazuli.balance.hot.rounds";
  static final String BALANCE_COLD = "lazuli.balance.cold.seconds";
  static final String BALANCE_REST = "lazuli.balance.rest.seconds";
  static final String BALANCE_PER_HOUR = "lazuli.balance.operations.per.hour";
  static final String BALANCE_MERGE_MIB = "lazuli.balance.merge.mib.max";
  static final String BALANCE_RANGES_MIN = "lazuli.balance.ranges.min";

  /** The defaults. */
  static final HBaseSettings DEFAULT =
      new HBaseSettings(
          "lazuli",
          "lazuli",
          Durability.DISK,
          64,
          ReclaimSettings.DEFAULT,
          Duration.ofSeconds(5),
          Duration.ofMinutes(10),
          BalanceSettings.DEFAULT);

  HBaseSettings withDurability(Durability newDurability) {
    return new HBaseSettings(
        namespace, user, newDurability, threads, reclaim, silence, chunkGrace, balance);
  }

  HBaseSettings withThreads(int newThreads) {
    return new HBaseSettings(
        namespace, user, durability, newThreads, reclaim, silence, chunkGrace, balance);
  }

  HBaseSettings withReclaimAfter(Duration newReclaimAfter) {
    return withReclaim(reclaim.withAfter(newReclaimAfter));
  }

  HBaseSettings withReclaim(ReclaimSettings newReclaim) {
    return new HBaseSettings(
        namespace, user, durability, threads, newReclaim, silence, chunkGrace, balance);
  }

  HBaseSettings withBalance(BalanceSettings newBalance) {
    return new HBaseSettings(
        namespace, user, durability, threads, reclaim, silence, chunkGrace, newBalance);
  }

  HBaseSettings withChunkGrace(Duration newChunkGrace) {
    return new HBaseSettings(
        namespace, user, durability, threads, reclaim, silence, newChunkGrace, balance);
  }

  /** What a configuration says, with the defaults for what it does not. */
  static HBaseSettings of(Configuration site) {
    return new HBaseSettings(
        site.get(NAMESPACE, DEFAULT.namespace),
        site.get(USER, DEFAULT.user),
        DEFAULT.durability,
        site.getInt(THREADS, DEFAULT.threads),
        reclaim(site),
        Duration.ofMillis(site.getLong(SILENCE, DEFAULT.silence.toMillis())),
        Duration.ofSeconds(site.getLong(CHUNK_GRACE, DEFAULT.chunkGrace.toSeconds())),
        balance(site));
  }

  private static ReclaimSettings reclaim(Configuration site) {
    ReclaimSettings normal = ReclaimSettings.DEFAULT;
    try {
      return new ReclaimSettings(
          Duration.ofSeconds(site.getLong(RECLAIM_AFTER, normal.after().toSeconds())),
          site.getInt(RECLAIM_RATE, normal.rowsPerSecond()),
          site.getLong(RECLAIM_CUT_ROWS, normal.cutRows()),
          site.getLong(RECLAIM_CUT_MIB, normal.cutBytes() >> 20) << 20);
    } catch (IllegalArgumentException e) {
      throw new EngineOpenException("lazuli.reclaim: " + e.getMessage(), e);
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
          Duration.ofSeconds(site.getLong(BALANCE_REST, normal.rest().toSeconds())),
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
      default -> throw new IllegalArgumentException("say on, dry-run or off, not " + word);
    };
  }
}
