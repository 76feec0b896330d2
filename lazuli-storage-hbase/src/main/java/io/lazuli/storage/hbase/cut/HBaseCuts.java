package io.lazuli.storage.hbase.cut;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.chunk.ChunkFolder;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.cluster.RegionAdmin;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.ClusterClock;
import io.lazuli.storage.hbase.commit.CutRow;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.hbase.format.StoreFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes cuts of the cluster. The tables are copied in the order catalogue, records, chunks, while
 * nothing is deleted ({@link CutRow}): so the records of every name are in the cut, and so are the
 * chunks of every record. A cut that a killed server left is removed by the next one. Blocks.
 * Thread-safe.
 */
public final class HBaseCuts {
  private static final Logger log = LoggerFactory.getLogger(HBaseCuts.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final ClusterConnection connection;
  private final String namespace;
  private final @Nullable ChunkFolder files;
  private final CutRow row;
  private final RegionCalls calls;
  private final Rows rows;
  private final Attempts attempts;
  private final ClusterClock clock;
  private final RegionAdmin regions;

  /**
   * @param files where chunks are files; null if all are in cells
   */
  public HBaseCuts(
      ClusterConnection connection,
      String namespace,
      @Nullable ChunkFolder files,
      CutRow row,
      RegionCalls calls,
      Rows rows,
      Attempts attempts,
      ClusterClock clock,
      RegionAdmin regions) {
    this.connection = connection;
    this.namespace = namespace;
    this.files = files;
    this.row = row;
    this.calls = calls;
    this.rows = rows;
    this.attempts = attempts;
    this.clock = clock;
    this.regions = regions;
  }

  /**
   * Makes a cut.
   *
   * @throws StorageException if this server or another one has a cut, or the cluster refuses
   */
  public HBaseCut begin() throws IOException {
    calls.requireOpen();
    long id = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    if (!Steps.await(row.take(id))) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE,
          "a server of the cluster makes a backup, or was killed in the last minute");
    }
    AtomicBoolean ended = new AtomicBoolean();
    renew(id, ended);
    TableCopies copies =
        new TableCopies(connection.admin(), namespace, Long.toString(id, Character.MAX_RADIX));
    Runnable end = () -> end(id, ended, copies);
    boolean made = false;
    try {
      copies.removeAll();
      HBaseCut.Facts facts = copy(id, copies);
      copies.cloneSnapshots();
      HBaseCut cut =
          new HBaseCut(
              facts,
              connection.adminConnection(),
              copies,
              files,
              () -> Steps.await(row.renew(id)),
              end);
      made = true;
      return cut;
    } finally {
      if (!made) {
        end.run();
      }
    }
  }

  private HBaseCut.Facts copy(long id, TableCopies copies) {
    String name = name();
    long recordBytes = regions.recordBytes();
    require(row.renew(id, true));
    long ticks = clock.now();
    copies.takeSnapshots();
    // Every number in the copies was reserved before this read.
    long numbers =
        OwnRows.decode(
            Steps.await(rows.read(OwnRows.STORE, OwnRows.NUMBERS, Deadline.after(TIMEOUT))));
    long ticksAfter = clock.now();
    int format = StoreFormat.read(rows, Deadline.after(TIMEOUT));
    require(row.renew(id, false));
    return new HBaseCut.Facts(name, ticks, numbers, ticksAfter, format, recordBytes);
  }

  private static void require(CompletableFuture<Boolean> renewed) {
    if (!Steps.await(renewed)) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, "the snapshots took too long: another server gave up");
    }
  }

  /** Renews the row from time to time, without a thread. */
  private void renew(long id, AtomicBoolean ended) {
    CompletableFuture<Boolean> unused =
        Steps.repeat(
            () ->
                Steps.then(
                    calls.pause(CutRow.RENEWAL),
                    rested ->
                        ended.get()
                            ? CompletableFuture.completedFuture(false)
                            : Steps.rescue(
                                row.renew(id),
                                failure -> CompletableFuture.completedFuture(!calls.isClosed()))));
  }

  /** Removes the copies, as far as possible; the next cut removes the rest. */
  private void end(long id, AtomicBoolean ended, TableCopies copies) {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try {
      copies.remove();
      boolean unused = Steps.await(row.end(id));
    } catch (StorageException e) {
      log.warn("copies of tables stay until the next backup: {}", e.getMessage());
    }
  }

  /** Returns the name of the store. The first cut stores it. */
  private String name() {
    byte[] fresh = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    Bytes name =
        Steps.await(
            attempts.run(
                OwnRows.STORE,
                Deadline.after(TIMEOUT),
                view -> {
                  byte[] stored = view.condition(OwnRows.NAME).value();
                  if (stored == null) {
                    view.putOwn(OwnRows.NAME, fresh);
                  }
                  return Bytes.of(stored == null ? fresh : stored);
                }));
    return new String(name.array(), StandardCharsets.US_ASCII);
  }
}
