package io.lazuli.storage.hbase.cut;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.DataFormat;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StoreRestore;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.chunk.ChunkFiles;
import io.lazuli.storage.hbase.chunk.ChunkFolder;
import io.lazuli.storage.hbase.chunk.StoredChunks;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.cluster.TableSetup;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.hbase.format.StoreFormat;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.segment.ChunkHead;
import io.lazuli.storage.segment.CutNames;
import io.lazuli.storage.segment.SegmentReader;
import io.lazuli.storage.segment.SegmentRow;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a cut into a namespace without tables. The first row that it writes is a mark with which
 * no server starts; it is removed when everything is stored. Records keep their versions and the
 * timestamps of their cells. Blocks. Used by one thread.
 */
public final class HBaseRestore implements StoreRestore {
  private static final Logger log = LoggerFactory.getLogger(HBaseRestore.class);

  /** The bytes that are sent before the next ones are read. */
  private static final int BATCH_BYTES = 4 << 20;

  private static final Duration CALL_MAX = Duration.ofMinutes(5);

  private static final byte[] MARK = KeyCodec.encode(OwnRows.STORE.row(OwnRows.RESTORING));

  private final ClusterConnection connection;
  private final String namespace;
  private final @Nullable ChunkFolder all;

  /** The name of the new store in the folder of chunks. */
  private final String name = UUID.randomUUID().toString();

  private final TableSetup setup;
  private final Set<StoreTable> made = EnumSet.of(StoreTable.CATALOG);
  private final List<Put> batch = new ArrayList<>();
  private @Nullable StoreTable batchTable;
  private long batchBytes;
  private long @Nullable [] store;

  /** The format of the store; 0 if the backup does not have it. */
  private int format;

  /** The store's folder; null until a chunk needs it. */
  private @Nullable ChunkFolder files;

  private boolean complete;

  private HBaseRestore(
      ClusterConnection connection, String namespace, @Nullable ChunkFolder folder) {
    this.connection = connection;
    this.all = folder;
    this.namespace = namespace;
    this.setup = new TableSetup(connection.admin(), namespace);
  }

  /**
   * Begins a restore.
   *
   * @param connection is closed with the restore
   * @param folder for chunks of several pieces, closed with the restore; null to store all chunks
   *     in cells
   * @throws EngineOpenException if the namespace has tables of the engine
   */
  public static HBaseRestore begin(
      ClusterConnection connection, String namespace, @Nullable ChunkFolder folder) {
    HBaseRestore restore = new HBaseRestore(connection, namespace, folder);
    boolean begun = false;
    try {
      restore.mark();
      begun = true;
      return restore;
    } catch (IOException e) {
      throw new EngineOpenException("the cluster does not answer: " + e, e);
    } finally {
      if (!begun) {
        restore.close();
      }
    }
  }

  /**
   * Throws if a restore into the namespace is not complete.
   *
   * @throws EngineOpenException with one line for the operator
   */
  public static void requireComplete(Rows rows, String namespace, Deadline deadline) {
    StoredCell mark = Steps.await(rows.read(OwnRows.STORE, OwnRows.RESTORING, deadline));
    if (mark.isRecord()) {
      StoredCell files = Steps.await(rows.read(OwnRows.STORE, OwnRows.FILES, deadline));
      byte[] name = files.value();
      throw new EngineOpenException(
          "the restore into the namespace "
              + namespace
              + " has not finished; "
              + removal(namespace)
              + (name == null
                  ? ""
                  : ", remove " + ChunkFiles.text(name) + " in the folder of chunks,")
              + " and restore again",
          null);
    }
  }

  private static String removal(String namespace) {
    return "remove its tables (in the HBase shell: disable_all '%s:.*' and drop_all '%s:.*')"
        .formatted(namespace, namespace);
  }

  private void mark() throws IOException {
    List<TableName> present = setup.present();
    if (!present.isEmpty()) {
      throw new EngineOpenException(
          "the namespace "
              + namespace
              + " has tables, and a restore needs a namespace without them: choose another with"
              + " lazuli.namespace, or "
              + removal(namespace),
          null);
    }
    setup.create(StoreTable.CATALOG, TableSetup.boundaries(StoreTable.CATALOG));
    put(StoreTable.CATALOG, now(MARK, new byte[] {1}, 0));
    flush();
    // A server that starts now sees the mark, or has written before this scan.
    try (RowScan rows =
        RowScan.ofAll(connection.adminConnection(), StoreTable.CATALOG.name(namespace))) {
      for (Cell cell = rows.next(); cell != null; cell = rows.next()) {
        if (!Arrays.equals(CellUtil.cloneRow(cell), MARK)) {
          throw new EngineOpenException(
              "a server uses the namespace " + namespace + ": stop it, and " + removal(namespace),
              null);
        }
      }
    }
  }

  @Override
  public String place() {
    return "the namespace " + namespace + " of the cluster";
  }

  @Override
  public void write(String name, InputStream content) throws IOException {
    if (name.startsWith(CutNames.BOUNDARIES)) {
      createTable(table(name.substring(CutNames.BOUNDARIES.length())), content);
    } else if (name.startsWith(CutNames.CHUNKS)) {
      writeChunk(CutNames.chunk(name), content);
    } else if (name.startsWith(CutNames.RECORDS)) {
      writeRecords(table(CutNames.table(name)), content);
    } else if (name.equals(CutNames.STORE)) {
      store = CutFormat.decodeStore(content);
    } else {
      throw new IOException("a backup of this engine has no file " + name);
    }
  }

  private static StoreTable table(String word) throws IOException {
    try {
      return StoreTable.valueOf(word.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IOException("there is no table " + word, e);
    }
  }

  private void createTable(StoreTable table, InputStream content) throws IOException {
    CutFormat.Boundaries boundaries = CutFormat.decodeKeys(content);
    if (boundaries.format() > DataFormat.newest()) {
      throw new IOException("the backup has " + StoreFormat.tooNew(boundaries.format()));
    }
    format = boundaries.format();
    if (made.add(table)) {
      setup.create(table, boundaries.keys());
    }
  }

  private void writeRecords(StoreTable table, InputStream content) throws IOException {
    SegmentReader rows = new SegmentReader(content);
    for (SegmentRow row = rows.next(); row != null; row = rows.next()) {
      byte[] stored = StoredCell.encode(row.version(), row.writeId(), row.value());
      put(table, cell(row.key(), row.millis(), stored));
    }
  }

  private void writeChunk(ChunkRef ref, InputStream content) throws IOException {
    ChunkHead head = ChunkHead.read(content);
    StoredChunks.Complete chunk =
        StoredChunks.complete(ref, head.header(), head.millis())
            .orElseThrow(() -> new IOException("the file of a chunk is damaged"));
    Bytes checksums = Bytes.EMPTY;
    if (chunk.cells() > 1 && all != null) {
      checksums = writeFile(chunk, content);
    } else {
      for (long index = 0; index < chunk.cells(); index++) {
        byte[] bytes = content.readNBytes(StoredChunks.CELL_BYTES);
        put(StoreTable.CHUNKS, cell(StoredChunks.cellKey(ref, index), chunk.cellMillis(), bytes));
      }
    }
    byte[] header = StoredChunks.moved(chunk, checksums);
    put(StoreTable.CHUNKS, cell(StoredChunks.headerKey(ref), head.millis(), header));
  }

  /** Writes the pieces of a chunk into a file, and returns their checksums. */
  private Bytes writeFile(StoredChunks.Complete chunk, InputStream content) throws IOException {
    ByteBuffer checksums = ByteBuffer.allocate(Math.toIntExact(chunk.cells()) * Integer.BYTES);
    try (OutputStream file = files().create(chunk.ref(), true)) {
      for (long index = 0; index < chunk.cells(); index++) {
        byte[] piece = content.readNBytes(StoredChunks.CELL_BYTES);
        file.write(piece);
        checksums.putInt(ChunkFolder.checksum(piece));
      }
    }
    return Bytes.of(checksums.array());
  }

  /**
   * Returns the folder of the store. Its name is stored before the folder is made, so that the
   * catalogue names the folder of a restore that was killed.
   */
  private ChunkFolder files() throws IOException {
    ChunkFolder known = files;
    if (known == null) {
      known = Objects.requireNonNull(all, "there is no folder of chunks").of(name);
      putName(0);
      flush();
      known.make();
      files = known;
    }
    return known;
  }

  private void putName(long version) throws IOException {
    byte[] key = KeyCodec.encode(OwnRows.STORE.row(OwnRows.FILES));
    put(StoreTable.CATALOG, now(key, ChunkFiles.bytes(name), version));
  }

  private static Put cell(byte[] key, long millis, byte[] stored) {
    return new Put(key)
        .addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, millis, stored)
        .setDurability(Durability.FSYNC_WAL);
  }

  /** Returns a record of the engine with the time of the region server. */
  private static Put now(byte[] key, byte[] value, long version) {
    return new Put(key)
        .addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, StoredCell.encode(version, 0, value))
        .setDurability(Durability.FSYNC_WAL);
  }

  private void put(StoreTable table, Put put) throws IOException {
    if (!made.contains(table)) {
      throw new IOException("the backup lacks the boundaries of " + table);
    }
    if (batchTable != table) {
      flush();
      batchTable = table;
    }
    batch.add(put);
    batchBytes += put.heapSize();
    if (batchBytes >= BATCH_BYTES) {
      flush();
    }
  }

  private void flush() {
    StoreTable table = batchTable;
    if (table != null && !batch.isEmpty()) {
      Waiting.await(
          connection
              .adminConnection()
              .getTable(table.name(namespace))
              .putAll(new ArrayList<>(batch)),
          CALL_MAX);
    }
    batch.clear();
    batchBytes = 0;
  }

  @Override
  public void complete() throws IOException {
    long[] known = store;
    if (known == null || !made.equals(EnumSet.allOf(StoreTable.class))) {
      throw new IOException("the backup lacks files");
    }
    put(
        StoreTable.CATALOG,
        now(
            KeyCodec.encode(OwnRows.STORE.row(OwnRows.NUMBERS)),
            OwnRows.encode(known[0]),
            known[1]));
    put(
        StoreTable.CATALOG,
        now(KeyCodec.encode(OwnRows.STORE.row(OwnRows.TIME)), OwnRows.encode(known[1]), known[1]));
    if (format > 0) {
      put(
          StoreTable.CATALOG,
          now(
              KeyCodec.encode(OwnRows.STORE.row(OwnRows.FORMAT)),
              StoreFormat.initial(format),
              known[1]));
    }
    if (files != null) {
      putName(known[1]);
    }
    flush();
    Waiting.await(
        connection
            .adminConnection()
            .getTable(StoreTable.CATALOG.name(namespace))
            .delete(new Delete(MARK).addColumns(StoreTable.FAMILY, StoreTable.QUALIFIER)),
        CALL_MAX);
    complete = true;
  }

  /** Removes the files of a restore that was given up: its tables cannot be used either. */
  @Override
  public void close() {
    if (files != null && !complete) {
      try {
        files.remove();
      } catch (IOException e) {
        log.warn("files stay in {}: {}", files, e.toString());
      }
    }
    if (all != null) {
      all.close();
    }
    connection.close();
  }
}
