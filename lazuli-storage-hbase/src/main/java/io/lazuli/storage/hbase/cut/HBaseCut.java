package io.lazuli.storage.hbase.cut;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.chunk.ChunkFolder;
import io.lazuli.storage.hbase.chunk.StoredChunks;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import io.lazuli.storage.segment.CutNames;
import io.lazuli.storage.segment.SegmentRow;
import io.lazuli.storage.segment.Segments;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.jspecify.annotations.Nullable;

/**
 * A cut of the cluster: copies of its tables that do not change. Records are read in order and
 * divided into segments; each chunk is a file. Blocks. Used by one thread.
 */
final class HBaseCut implements StoreCut {
  /**
   * A chunk that is not older at the cut may have been completed while the regions of its table
   * were copied one after another, so that parts of it are missing. Clocks differ by less.
   */
  private static final long RECENT_TICKS = 30 * Ticks.PER_SECOND;

  /** The tables of records, in the order of their names. */
  private static final List<StoreTable> RECORD_TABLES = allBut(StoreTable.CHUNKS);

  /** The tables whose regions a restore makes. The balancer divides the catalogue. */
  static final List<StoreTable> DIVIDED_TABLES = allBut(StoreTable.CATALOG);

  /** More deleted chunks are not remembered; one of them may then be reported as missing. */
  private static final int TOMBSTONES_MAX = 1_000_000;

  /** The starts of the rows about the whole store, which belong to the servers that run. */
  private static final List<byte[]> STORE_ROWS =
      List.of(
          KeyCodec.encode(OwnRows.STORE.row(Bytes.EMPTY)),
          KeyCodec.encode(OwnRows.REPORTS.row(Bytes.EMPTY)));

  /**
   * Facts about the whole store.
   *
   * @param name as in {@link StoreCut#store}
   * @param ticks the time before the first copy
   * @param numbers the first number of a space or chunk that no server had reserved after the last
   *     copy
   * @param ticksAfter the time after the last copy
   * @param format the format of the store after the last copy
   * @param recordBytes the length of all records, as far as known
   */
  record Facts(
      String name, long ticks, long numbers, long ticksAfter, int format, long recordBytes) {}

  private final Facts facts;
  private final AsyncConnection connection;
  private final TableCopies copies;
  private final @Nullable ChunkFolder files;
  private final BooleanSupplier isOurs;
  private final Runnable end;
  private final Set<ChunkRef> deleted = new HashSet<>();

  /** The content of the file that was shown last; null if it is a chunk. */
  private @Nullable ByteBuffer content;

  private StoredChunks.@Nullable Complete chunk;

  /**
   * @param files where chunks are files; null if all are in cells
   * @param isOurs whether the cut still has its row. Otherwise its files may have been removed
   * @param end gives the copies up
   */
  HBaseCut(
      Facts facts,
      AsyncConnection connection,
      TableCopies copies,
      @Nullable ChunkFolder files,
      BooleanSupplier isOurs,
      Runnable end)
      throws IOException {
    this.facts = facts;
    this.connection = connection;
    this.copies = copies;
    this.files = files;
    this.isOurs = isOurs;
    this.end = end;
    try (RowScan rows = chunkRows(StoredChunks.TOMBSTONES)) {
      for (Cell cell = rows.next();
          cell != null && deleted.size() < TOMBSTONES_MAX;
          cell = rows.next()) {
        deleted.add(StoredChunks.deleted(cell));
      }
    }
  }

  @Override
  public String engine() {
    return "hbase";
  }

  @Override
  public String store() {
    return facts.name;
  }

  @Override
  public long ticks() {
    return facts.ticks;
  }

  @Override
  public long preview(FileVisitor visitor) throws IOException {
    showChunks(visitor);
    return facts.recordBytes;
  }

  @Override
  public void forEach(FileVisitor visitor) throws IOException {
    for (StoreTable table : DIVIDED_TABLES) {
      show(
          CutNames.ofBoundaries(word(table)),
          CutFormat.encodeKeys(copies.boundaries(table), facts.format),
          visitor);
    }
    showChunks(visitor);
    for (StoreTable table : RECORD_TABLES) {
      showRecords(table, visitor);
    }
    show(CutNames.STORE, CutFormat.encodeStore(facts.numbers, facts.ticksAfter), visitor);
  }

  private void show(String name, ByteBuffer bytes, FileVisitor visitor) throws IOException {
    content = bytes;
    chunk = null;
    visitor.visit(new File(name, bytes.remaining(), 0, false));
  }

  private void showChunks(FileVisitor visitor) throws IOException {
    try (RowScan rows = chunkRows(StoredChunks.HEADERS)) {
      for (Cell cell = rows.next(); cell != null; cell = rows.next()) {
        Optional<StoredChunks.Complete> found = StoredChunks.complete(cell);
        if (found.isPresent() && !deleted.contains(found.get().ref())) {
          show(found.get(), visitor);
        }
      }
    }
  }

  private void show(StoredChunks.Complete found, FileVisitor visitor) throws IOException {
    if (found.ticks() > facts.ticks - RECENT_TICKS && !isWhole(found)) {
      return;
    }
    content = null;
    chunk = found;
    long length = ChunkChannel.head(found).length() + found.length();
    visitor.visit(new File(CutNames.of(found.ref()), length, found.ticks(), true));
  }

  private boolean isWhole(StoredChunks.Complete found) throws IOException {
    if (found.inFile()) {
      return true;
    }
    long cells = 0;
    KeyInterval interval = KeyInterval.ofSpace(found.ref().number());
    try (RowScan rows = RowScan.ofKeys(connection, copies.copy(StoreTable.CHUNKS), interval)) {
      while (rows.next() != null) {
        cells++;
      }
    }
    return cells == found.cells();
  }

  private void showRecords(StoreTable table, FileVisitor visitor) throws IOException {
    int[] ordinal = {0};
    Segments segments =
        new Segments(
            (firstKey, bytes) ->
                show(CutNames.ofSegment(word(table), firstKey, ordinal[0]++), bytes, visitor));
    try (RowScan rows = RowScan.ofAll(connection, copies.copy(table))) {
      for (Cell cell = rows.next(); cell != null; cell = rows.next()) {
        byte[] key = CellUtil.cloneRow(cell);
        StoredCell stored = StoredCell.of(cell);
        byte[] value = stored.value();
        if (value != null && !(table == StoreTable.CATALOG && isOfStore(key))) {
          segments.add(
              new SegmentRow(key, stored.millis(), stored.version(), stored.writeId(), value));
        }
      }
    }
    segments.end();
  }

  private static boolean isOfStore(byte[] key) {
    return STORE_ROWS.stream()
        .anyMatch(
            rows ->
                key.length >= rows.length
                    && Arrays.equals(key, 0, rows.length, rows, 0, rows.length));
  }

  @Override
  public ReadableByteChannel open(File file) throws IOException {
    ByteBuffer bytes = content;
    if (bytes != null) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return Channels.newChannel(new ByteArrayInputStream(copy));
    }
    StoredChunks.Complete found = Objects.requireNonNull(chunk, "no file was shown");
    if (!CutNames.of(found.ref()).equals(file.name())) {
      throw new NoSuchFileException(file.name());
    }
    return found.inFile()
        ? ChunkFileChannel.open(files, found, isOurs)
        : ChunkChannel.open(connection, copies.copy(StoreTable.CHUNKS), found);
  }

  private RowScan chunkRows(KeyInterval interval) {
    return RowScan.of(connection, copies.copy(StoreTable.CHUNKS), interval);
  }

  private static List<StoreTable> allBut(StoreTable one) {
    return Arrays.stream(StoreTable.values())
        .filter(table -> table != one)
        .sorted(Comparator.comparing(HBaseCut::word))
        .toList();
  }

  static String word(StoreTable table) {
    return table.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() {
    end.run();
  }
}
