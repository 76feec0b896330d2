package io.lazuli.storage.rocksdb.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the files of RocksDB's log by their names, {@code 000012.log}. */
final class LogFiles {
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})\\.log");

  private LogFiles() {}

  /** Returns the files by their number: RocksDB wrote them in this order. */
  static NavigableMap<Long, Path> in(Path database) throws IOException {
    NavigableMap<Long, Path> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(database)) {
      for (Path file : (Iterable<Path>) all::iterator) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          files.put(Long.valueOf(name.group(1)), file);
        }
      }
    }
    return files;
  }

  /** Returns the file of a log, which need not exist. */
  static Path of(Path database, long number) {
    return database.resolve(String.format("%06d.log", number));
  }
}
