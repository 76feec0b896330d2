package io.lazuli.storage.rocksdb;

import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StoreReport;
import io.lazuli.storage.StoredDamage;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import io.lazuli.storage.rocksdb.log.ManifestAppender;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.RocksDBException;

/**
 * Replaces damaged table files by what can be read of them.
 *
 * <h2>Order of the steps</h2>
 *
 * The damaged files are copied aside. Then the readable records that only a damaged file makes
 * visible are written again, and records that would become visible without it are deleted ({@link
 * TableSalvage}); up to here every reader sees what it saw before. The last step takes the damaged
 * files out of the manifest. A repair that was interrupted can be run again: until the last step
 * the files are damaged as before, and after it none is.
 */
final class TableRepair {
  private static final String WORK = "repair-work";

  private final DataFolder folder;
  private final long memoryBytes;
  private final List<String> lines = new ArrayList<>();

  /** The numbers by which the manifest knows the families. */
  private final Map<Family, Integer> familyNumbers = new EnumMap<>(Family.class);

  TableRepair(DataFolder folder, long memoryBytes) {
    this.folder = folder;
    this.memoryBytes = memoryBytes;
  }

  /**
   * Repairs the tables.
   *
   * @param salvage false to list what would be done
   */
  StoreReport run(boolean salvage) {
    try {
      Map<LiveFileMetaData, StoredDamage> damaged = damaged();
      if (damaged.isEmpty()) {
        return new StoreReport(List.of(), List.of("no table file is damaged"));
      }
      if (!salvage) {
        lines.add("nothing was changed; --salvage keeps what can be read of the damaged files");
        return new StoreReport(List.copyOf(damaged.values()), lines);
      }
      repair(List.copyOf(damaged.keySet()));
      return new StoreReport(List.copyOf(damaged().values()), lines);
    } catch (IOException | RocksDBException e) {
      throw new EngineOpenException("cannot repair the tables in " + folder.root() + ": " + e, e);
    }
  }

  private Map<LiveFileMetaData, StoredDamage> damaged() {
    Map<LiveFileMetaData, StoredDamage> damaged = new LinkedHashMap<>();
    try (NativeStore store = NativeStore.openReadOnly(folder.database(), memoryBytes)) {
      new TableFiles(store)
          .live()
          .forEach(
              (name, table) ->
                  TableFiles.damage(folder.database().resolve(name), table.size())
                      .ifPresent(damage -> damaged.put(table, damage)));
    }
    return damaged;
  }

  private void repair(List<LiveFileMetaData> damaged) throws IOException, RocksDBException {
    Path aside = copyAside(damaged);
    lines.add("the damaged table files were copied to " + aside);
    // Opening writes the log into tables, so that tables are all that has to be compared.
    try (NativeStore store = NativeStore.openToRepair(folder.database(), memoryBytes)) {
      store.flush();
      for (Family family : Family.values()) {
        familyNumbers.put(family, store.handle(family).getID());
      }
    }
    Path work = folder.root().resolve(WORK);
    List<ManifestAppender.Table> removed = new ArrayList<>();
    copyWithout(damaged, work, removed);
    try (NativeStore with = NativeStore.openToRepair(folder.database(), memoryBytes);
        NativeStore without = NativeStore.openReadOnly(work, memoryBytes);
        LostRecords lost = LostRecords.open(aside)) {
      for (Family family : Family.values()) {
        List<LiveFileMetaData> own = damaged.stream().filter(table -> isOf(table, family)).toList();
        if (!own.isEmpty()) {
          new TableSalvage(with, without, family, lost).run(own);
        }
      }
      with.flush();
      lines.addAll(lost.lines());
    }
    ManifestAppender.remove(folder.database(), removed);
    delete(work);
    lines.add("the damaged table files were taken out of the store");
  }

  private static boolean isOf(LiveFileMetaData table, Family family) {
    return Arrays.equals(table.columnFamilyName(), family.label());
  }

  private Path copyAside(List<LiveFileMetaData> damaged) throws IOException {
    int number = 1;
    while (Files.exists(folder.root().resolve("damaged-tables-" + number))) {
      number++;
    }
    Path aside = Files.createDirectory(folder.root().resolve("damaged-tables-" + number));
    for (LiveFileMetaData table : damaged) {
      Path file = folder.database().resolve(TableFiles.name(table.fileName()));
      if (Files.exists(file)) {
        Path copy = Files.copy(file, aside.resolve(file.getFileName()));
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
      }
    }
    DataFolder.sync(aside);
    DataFolder.sync(folder.root());
    return aside;
  }

  /** Makes a database without the damaged tables; the others are links to the same files. */
  private void copyWithout(
      List<LiveFileMetaData> damaged, Path work, List<ManifestAppender.Table> removed)
      throws IOException {
    delete(work);
    Files.createDirectory(work);
    List<String> names = damaged.stream().map(table -> TableFiles.name(table.fileName())).toList();
    try (Stream<Path> files = Files.list(folder.database())) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (name.endsWith(".sst") && !names.contains(name)) {
          link(file, work.resolve(name));
        } else if (name.equals("CURRENT") || name.startsWith("MANIFEST-")) {
          Files.copy(file, work.resolve(name));
        }
      }
    }
    for (LiveFileMetaData table : damaged) {
      String name = TableFiles.name(table.fileName());
      long number = Long.parseLong(name.substring(0, name.indexOf('.')));
      removed.add(new ManifestAppender.Table(familyNumber(table), table.level(), number));
    }
    ManifestAppender.remove(work, removed);
  }

  private int familyNumber(LiveFileMetaData table) {
    for (Map.Entry<Family, Integer> family : familyNumbers.entrySet()) {
      if (isOf(table, family.getKey())) {
        return family.getValue();
      }
    }
    throw new IllegalStateException("a table belongs to an unknown family");
  }

  private static void link(Path file, Path link) throws IOException {
    try {
      Files.createLink(link, file);
    } catch (UnsupportedOperationException | IOException e) {
      Files.copy(file, link);
    }
  }

  private static void delete(Path work) throws IOException {
    if (!Files.exists(work)) {
      return;
    }
    try (Stream<Path> files = Files.list(work)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
    Files.delete(work);
  }
}
