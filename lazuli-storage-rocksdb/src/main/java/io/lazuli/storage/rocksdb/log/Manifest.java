package io.lazuli.storage.rocksdb.log;

import io.lazuli.storage.EngineOpenException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of RocksDB's manifest that says which logs are needed. The manifest lists the changes of
 * the set of tables; the file {@code CURRENT} names it.
 *
 * @param file the manifest
 * @param firstLog the number of the first log with changes that are in no table: older logs are not
 *     needed
 * @param lastFlushedLog the highest such number of a column family; if it is above {@code
 *     firstLog}, some families are ahead of others
 * @param lastSequence the highest sequence number in the tables
 */
record Manifest(Path file, long firstLog, long lastFlushedLog, long lastSequence) {
  private static final Pattern NAME = Pattern.compile("MANIFEST-\\d{1,18}");

  /**
   * Reads the manifest of a database. Like RocksDB, it ignores an incomplete change at the end.
   *
   * @return null if there is no database yet
   * @throws EngineOpenException if the manifest cannot be read
   */
  static @Nullable Manifest read(Path database) throws IOException {
    Path file;
    try {
      byte[] current = Files.readAllBytes(database.resolve("CURRENT"));
      String name = new String(current, StandardCharsets.ISO_8859_1).strip();
      if (!NAME.matcher(name).matches()) {
        throw refused(database, "CURRENT does not name a manifest");
      }
      file = database.resolve(name);
    } catch (NoSuchFileException e) {
      requireUnused(database);
      return null;
    }
    Edits edits = new Edits();
    try (RecordReader reader = new RecordReader(file, 0, Integer.MAX_VALUE)) {
      for (RecordReader.Found record = reader.next(); record != null; record = reader.next()) {
        if (!edits.add(record.head())) {
          throw refused(database, file + " has an unknown entry at offset " + record.offset());
        }
      }
      Fault fault = reader.fault();
      boolean torn =
          fault == null || fault.kind() == Fault.Kind.CUT || fault.kind() == Fault.Kind.ZEROS;
      if (fault != null && (!torn || reader.endsWithDamagedLength())) {
        throw refused(database, file + ", offset " + fault.offset() + ": " + fault.kind().text());
      }
    } catch (NoSuchFileException e) {
      throw refused(database, file + " is missing");
    }
    return edits.toManifest(file);
  }

  /** RocksDB would make a new database in place of one that has lost this file. */
  private static void requireUnused(Path database) throws IOException {
    try (Stream<Path> files = Files.list(database)) {
      if (files.map(Path::toString).anyMatch(Manifest::isData)) {
        throw refused(database, "CURRENT is missing, but there is data");
      }
    }
  }

  private static boolean isData(String file) {
    return file.endsWith(".sst") || file.endsWith(LogMark.FILE);
  }

  private static EngineOpenException refused(Path database, String reason) {
    return new EngineOpenException("cannot open the store in " + database + ": " + reason, null);
  }

  /** The state after the changes that were added so far. */
  private static final class Edits {
    private final Map<Long, Long> logOfFamily = new HashMap<>(Map.of(0L, 0L));
    private final List<ManifestEdit> group = new ArrayList<>();
    private long minLogToKeep;
    private long lastSequence;

    /** Adds a change. Changes of a group take effect together, with the last of them. */
    boolean add(byte[] record) {
      ManifestEdit edit = ManifestEdit.parse(record);
      if (edit == null) {
        return false;
      }
      group.add(edit);
      if (edit.remainingInGroup() == 0) {
        group.forEach(this::apply);
        group.clear();
      }
      return true;
    }

    private void apply(ManifestEdit edit) {
      minLogToKeep = Math.max(minLogToKeep, edit.minLogToKeep());
      lastSequence = Math.max(lastSequence, edit.lastSequence());
      if (edit.drops()) {
        logOfFamily.remove(edit.family());
      } else {
        logOfFamily.merge(edit.family(), edit.log(), Math::max);
      }
    }

    Manifest toManifest(Path file) {
      return new Manifest(
          file,
          Math.max(minLogToKeep, Collections.min(logOfFamily.values())),
          Collections.max(logOfFamily.values()),
          lastSequence);
    }
  }
}
