package io.lazuli.storage.rocksdb;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.contract.EngineFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/**
 * Transactions that are in the log, and a model of what was acknowledged: transaction n writes row
 * n. Each transaction is acknowledged before the next one begins, so the log has a batch for each.
 */
final class LoggedWrites implements AutoCloseable {
  /** Every test creates this space first, so its number is known. */
  private static final Partition PARTITION =
      new Partition(new Space(Space.number(SpaceKind.TABLE, 1), HOME), bytes("p"));

  private final Random random = new Random(1);
  private final RocksDbEngine engine;
  private int count;

  LoggedWrites(EngineConfig config) {
    this.engine = RocksDbEngine.open(config);
  }

  LoggedWrites(Path folder) {
    this(config(folder));
  }

  static EngineConfig config(Path folder) {
    return EngineConfig.of(folder).withMemoryBytes(32 << 20);
  }

  RocksDbEngine engine() {
    return engine;
  }

  int count() {
    return count;
  }

  /** Writes rows. Every tenth does not fit into a block of the log. */
  void write(int rows) {
    for (int i = 0; i < rows; i++) {
      byte[] value = new byte[count % 10 == 9 ? 40_000 : 150];
      random.nextBytes(value);
      put(value);
    }
  }

  void put(byte[] value) {
    int number = count++;
    await(
        engine.transact(
            PARTITION,
            List.of(),
            Deadline.NEVER,
            view -> {
              view.put(numbered(number), value);
              return null;
            }));
  }

  /**
   * Moves the rows so far to a table, so that RocksDB begins a new log. It keeps the old one,
   * because the catalogue's family still needs it.
   */
  void beginLog() throws RocksDBException {
    NativeStore store = engine.store();
    try (FlushOptions options = new FlushOptions()) {
      store
          .db()
          .put(store.handle(Family.CATALOGUE), store.durableWrites(), new byte[] {3}, new byte[4]);
      store.db().flush(options, store.handle(Family.TABLES));
    }
  }

  @Override
  public void close() {
    engine.close();
  }

  /**
   * Opens a folder and returns how many rows it has. They must be the first ones, without a gap.
   *
   * @throws io.lazuli.storage.EngineOpenException if the start is refused
   */
  static int countIn(Path folder, int rowsMax) {
    try (RocksDbEngine engine = RocksDbEngine.open(config(folder))) {
      int found = 0;
      for (int i = 0; i < rowsMax; i++) {
        boolean there =
            EngineFixture.await(engine.read(PARTITION.row(numbered(i)), Deadline.NEVER)) != null;
        if (there && found != i) {
          throw new AssertionError("row " + i + " is there, but not row " + found);
        }
        found += there ? 1 : 0;
      }
      return found;
    }
  }

  /** Copies a folder, as it is on disk, without the mark if its engine is running. */
  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (!file.getFileName().toString().startsWith("LAZULI-MARK")) {
          Files.copy(file, to.resolve(from.relativize(file).toString()));
        }
      }
    }
  }

  /** Returns the logs of a folder, oldest first. */
  static List<Path> logs(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("rocksdb"))) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }
}
