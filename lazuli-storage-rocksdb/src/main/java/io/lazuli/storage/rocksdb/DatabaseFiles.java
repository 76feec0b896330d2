package io.lazuli.storage.rocksdb;

import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StoredDamage;
import io.lazuli.storage.StoredFiles;
import io.lazuli.storage.rocksdb.chunk.ChunkFiles;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import io.lazuli.storage.rocksdb.log.DatabaseLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.rocksdb.LiveFileMetaData;

/**
 * The files of an open database: its tables, its log and manifest under the name {@code CURRENT},
 * and the folder of chunks, in which each file must have a row. The bytes of chunks are read
 * through the chunks themselves. Files without checksums that nothing reads do not count: {@code
 * OPTIONS}, which each start writes again, {@code IDENTITY}, {@code LOCK} and RocksDB's own notes.
 */
final class DatabaseFiles implements StoredFiles {
  private static final String LOG = "CURRENT";
  private static final String CHUNKS = "chunks";

  private final DataFolder folder;
  private final NativeStore store;
  private final NativeGate gate;
  private final ChunkFiles chunks;
  private final boolean running;

  /**
   * @param running true if the log changes; the log of a closed database is checked before it opens
   */
  DatabaseFiles(
      DataFolder folder, NativeStore store, NativeGate gate, ChunkFiles chunks, boolean running) {
    this.running = running;
    this.folder = folder;
    this.store = store;
    this.gate = gate;
    this.chunks = chunks;
  }

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>(live().keySet());
    if (running) {
      names.add(LOG);
    }
    names.add(CHUNKS);
    return names;
  }

  @Override
  public long bytes(String name) {
    LiveFileMetaData table = live().get(name);
    return table == null ? 0 : table.size();
  }

  @Override
  public List<StoredDamage> check(String name) {
    return switch (name) {
      case LOG -> checkLog();
      case CHUNKS -> strayChunks();
      default -> checkTable(name);
    };
  }

  private Map<String, LiveFileMetaData> live() {
    gate.enter();
    try {
      return new TreeMap<>(new TableFiles(store).live());
    } finally {
      gate.leave();
    }
  }

  private List<StoredDamage> checkTable(String name) {
    LiveFileMetaData table = live().get(name);
    if (table == null) {
      return List.of();
    }
    Path file = folder.database().resolve(name);
    gate.enter();
    try {
      Optional<StoredDamage> damage = TableFiles.damage(file, table.size());
      // A compaction may have replaced the file while it was checked.
      return damage.isPresent() && live().containsKey(name) ? List.of(damage.get()) : List.of();
    } finally {
      gate.leave();
    }
  }

  /** Checks twice, because the log changes while it is read. */
  private List<StoredDamage> checkLog() {
    List<StoredDamage> first = checkLogOnce();
    return first.isEmpty() ? first : checkLogOnce();
  }

  private List<StoredDamage> checkLogOnce() {
    try {
      return new DatabaseLog(folder.root(), folder.database()).verify().damage();
    } catch (EngineOpenException e) {
      return List.of(new StoredDamage(folder.database().resolve(LOG), 0, "" + e.getMessage()));
    }
  }

  private List<StoredDamage> strayChunks() {
    List<StoredDamage> strays = new ArrayList<>();
    try {
      chunks.visitStrays(
          file -> strays.add(new StoredDamage(file, 0, "no row describes this chunk")));
    } catch (IOException e) {
      strays.add(new StoredDamage(folder.chunks(), 0, "the folder cannot be read: " + e));
    }
    return strays;
  }
}
