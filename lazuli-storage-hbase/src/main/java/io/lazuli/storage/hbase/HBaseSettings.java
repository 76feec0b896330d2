package io.lazuli.storage.hbase;

import io.lazuli.storage.Durability;
import java.time.Duration;

/**
 * What an operator may change, read from the engine's configuration file beside the settings of
 * HBase itself.
 *
 * @param namespace of the HBase tables; several stores can live in one cluster
 * @param user in whose name the cluster is asked, unless it wants Kerberos
 * @param threads how many transactions run at the same time
 * @param reclaimAfter how long the records of a dropped space stay
 * @param silence after which a region server's answer to a read is checked before it is trusted;
 *     must be below two thirds of the servers' session timeout
 * @param chunkGrace how long a deleted chunk stays readable for those who had opened it
 */
record HBaseSettings(
    String namespace,
    String user,
    Durability durability,
    int threads,
    Duration reclaimAfter,
    Duration silence,
    Duration chunkGrace) {
  static final String NAMESPACE = "lazuli.namespace";
  static final String USER = "lazuli.user";
  static final String THREADS = "lazuli.threads";
  static final String RECLAIM_AFTER = "lazuli.reclaim.after.seconds";
  static final String SILENCE = "lazuli.read.silence.millis";
  static final String CHUNK_GRACE = "lazuli.chunk.grace.seconds";

  /** The defaults. */
  static final HBaseSettings DEFAULT =
      new HBaseSettings(
          "lazuli",
          "lazuli",
          Durability.DISK,
          64,
          Duration.ofHours(1),
          Duration.ofSeconds(5),
          Duration.ofMinutes(10));

  HBaseSettings withDurability(Durability newDurability) {
    return new HBaseSettings(
        namespace, user, newDurability, threads, reclaimAfter, silence, chunkGrace);
  }

  HBaseSettings withThreads(int newThreads) {
    return new HBaseSettings(
        namespace, user, durability, newThreads, reclaimAfter, silence, chunkGrace);
  }

  HBaseSettings withReclaimAfter(Duration newReclaimAfter) {
    return new HBaseSettings(
        namespace, user, durability, threads, newReclaimAfter, silence, chunkGrace);
  }

  HBaseSettings withChunkGrace(Duration newChunkGrace) {
    return new HBaseSettings(
        namespace, user, durability, threads, reclaimAfter, silence, newChunkGrace);
  }

  /** What a configuration says, with the defaults for what it does not. */
  static HBaseSettings of(org.apache.hadoop.conf.Configuration site) {
    return new HBaseSettings(
        site.get(NAMESPACE, DEFAULT.namespace),
        site.get(USER, DEFAULT.user),
        DEFAULT.durability,
        site.getInt(THREADS, DEFAULT.threads),
        Duration.ofSeconds(site.getLong(RECLAIM_AFTER, DEFAULT.reclaimAfter.toSeconds())),
        Duration.ofMillis(site.getLong(SILENCE, DEFAULT.silence.toMillis())),
        Duration.ofSeconds(site.getLong(CHUNK_GRACE, DEFAULT.chunkGrace.toSeconds())));
  }
}
