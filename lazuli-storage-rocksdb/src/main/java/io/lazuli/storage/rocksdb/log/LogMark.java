package io.lazuli.storage.rocksdb.log;

import io.lazuli.storage.rocksdb.disk.DataFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The mark: a small file next to RocksDB's logs that says how much of each log was synced. A log
 * cannot say by itself that its end is missing. An old mark is always true, because synced bytes
 * stay synced; it only says less.
 *
 * @param everyWriteSynced true if the engine synced each batch before it wrote the next one, so
 *     that a power cut can damage the last batch only
 * @param extents the synced part of each log, by the log's number
 * @param problem one line that says why the file could not be used; empty if it was, or if there is
 *     none
 */
record LogMark(boolean everyWriteSynced, NavigableMap<Long, Extent> extents, String problem) {
  static final String FILE = "LAZULI-MARK";

  private static final String DRAFT = FILE + ".new";
  private static final String TITLE = "lazuli log mark 1";
  private static final Pattern LOG_LINE =
      Pattern.compile("log (\\d{1,18}) (\\d{1,18}) (\\d{1,18})");

  LogMark {
    extents = new TreeMap<>(extents);
  }

  LogMark(boolean everyWriteSynced, NavigableMap<Long, Extent> extents) {
    this(everyWriteSynced, extents, "");
  }

  /** Reads the mark of a database. Folders of earlier versions have none. */
  static LogMark read(Path database) throws IOException {
    Path file = database.resolve(FILE);
    try {
      return parse(file, new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return new LogMark(true, new TreeMap<>());
    }
  }

  /** Returns the synced part of a log. */
  Extent extent(long log) {
    return extents.getOrDefault(log, Extent.EMPTY);
  }

  /** Replaces the mark of a database. After a crash there is either the old one or this one. */
  void write(Path database) throws IOException {
    Path draft = database.resolve(DRAFT);
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(text().getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(
        draft,
        database.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    DataFolder.sync(database);
  }

  private String text() {
    StringBuilder text = new StringBuilder(TITLE + "\n");
    text.append("synced ").append(everyWriteSynced ? "always" : "at a stop").append('\n');
    extents.forEach(
        (log, extent) -> {
          if (extent.length() > 0) {
            text.append("log ").append(log).append(' ').append(extent.length());
            text.append(' ').append(extent.lastSequence()).append('\n');
          }
        });
    return text + checksumLine(text.toString());
  }

  private static LogMark parse(Path file, String text) {
    int lastLine = text.lastIndexOf('\n', text.length() - 2) + 1;
    List<String> lines = text.lines().toList();
    if (!text.substring(lastLine).equals(checksumLine(text.substring(0, lastLine)))
        || lines.size() < 3
        || !lines.get(0).equals(TITLE)) {
      return new LogMark(true, new TreeMap<>(), file + " is damaged");
    }
    NavigableMap<Long, Extent> extents = new TreeMap<>();
    for (String line : lines.subList(2, lines.size() - 1)) {
      Matcher log = LOG_LINE.matcher(line);
      if (!log.matches()) {
        return new LogMark(true, new TreeMap<>(), file + " is damaged");
      }
      extents.put(
          Long.valueOf(log.group(1)),
          new Extent(Long.parseLong(log.group(2)), Long.parseLong(log.group(3))));
    }
    return new LogMark(lines.get(1).equals("synced always"), extents);
  }

  private static String checksumLine(String text) {
    CRC32C sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format("crc32c %08x\n", sum.getValue());
  }
}
