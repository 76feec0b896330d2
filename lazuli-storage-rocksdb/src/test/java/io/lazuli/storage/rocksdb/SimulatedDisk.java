package io.lazuli.storage.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The files of a folder as a crash could leave them. It applies the changes that {@link CrashDisk}
 * recorded one after another, and distinguishes what the disk must have from what it may have: the
 * bytes of a file up to its last sync, and the names in a folder up to the folder's last sync.
 * Mutable.
 */
final class SimulatedDisk {
  private static final int SECTOR_BYTES = 512;
  private static final int HEAD_BYTES = 25;

  /** Which of the changes that were not synced are on the disk after the crash. */
  enum Crash {
    /** All of them: only the process has ended. */
    PROCESS,
    /** None of them. */
    NOTHING_UNSYNCED,
    /**
     * Some of them. A file may have any sectors of its last writes, and zeros instead of the
     * others. Of the changes of names, the disk has those up to some moment.
     */
    SOME_UNSYNCED
  }

  /** One recorded change. */
  record Event(char type, long inode, long number, byte[] first, String second) {
    String path() {
      return new String(first, StandardCharsets.UTF_8);
    }
  }

  /** A change of the bytes of a file: a write, or a truncation if there are no bytes. */
  private record Change(long number, byte[] bytes) {}

  /** The bytes of a file, whatever its names are. */
  private static final class File {
    private byte[] synced = new byte[0];
    private final List<Change> unsynced = new ArrayList<>();
  }

  /** A change of the names of one folder: a name and its file, null if the name was removed. */
  private record Naming(String folder, String path, File file) {}

  /** Stands for a folder among the files. */
  private static final File FOLDER = new File();

  private final String root;
  private final Map<Long, File> files = new HashMap<>();
  private final Map<Long, String> folders = new HashMap<>();
  private final Map<String, File> names = new TreeMap<>();
  private final Map<String, File> syncedNames = new TreeMap<>();
  private final List<Naming> unsyncedNames = new ArrayList<>();

  /**
   * Makes an empty disk.
   *
   * @param events the trace, whose first mark names the folder: {@link #mark}
   */
  SimulatedDisk(List<Event> events) {
    String[] words = events.get(0).path().split(" ", -1);
    this.root = words[2];
    folders.put(Long.valueOf(words[1]), root);
  }

  /** Returns the mark with which a trace begins. */
  static String mark(Path root) throws IOException {
    return "root " + Files.getAttribute(root, "unix:ino") + " " + root;
  }

  static List<Event> read(Path trace) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(trace)).order(ByteOrder.nativeOrder());
    List<Event> events = new ArrayList<>();
    while (in.remaining() >= HEAD_BYTES) {
      char type = (char) in.get();
      long inode = in.getLong();
      long number = in.getLong();
      byte[] first = new byte[in.getInt()];
      byte[] second = new byte[in.getInt()];
      in.get(first).get(second);
      events.add(new Event(type, inode, number, first, new String(second, StandardCharsets.UTF_8)));
    }
    return events;
  }

  void apply(Event event) {
    switch (event.type()) {
      case 'C' -> create(event);
      case 'W' -> change(event, new Change(event.number(), event.first()));
      case 'T' -> change(event, new Change(event.number(), null));
      case 'S' -> sync(event.inode());
      case 'R' -> {
        File file = names.get(event.path());
        if (file != null) {
          name(event.second(), file);
          name(event.path(), null);
        }
      }
      case 'L' -> name(event.second(), names.get(event.path()));
      case 'U' -> name(event.path(), null);
      case 'M' -> {
        folders.put(event.inode(), event.path());
        name(event.path(), FOLDER);
      }
      default -> {
        // A mark of the workload.
      }
    }
  }

  private void create(Event event) {
    if (event.number() == 1) {
      change(event, new Change(0, null));
    } else {
      File file = new File();
      files.put(event.inode(), file);
      name(event.path(), file);
    }
  }

  private void change(Event event, Change change) {
    File file = files.get(event.inode());
    if (file != null) {
      file.unsynced.add(change);
    }
  }

  private void sync(long inode) {
    String folder = folders.get(inode);
    File file = files.get(inode);
    if (folder != null) {
      unsyncedNames.stream().filter(n -> n.folder.equals(folder)).forEach(this::keep);
      unsyncedNames.removeIf(n -> n.folder.equals(folder));
    } else if (file != null) {
      file.synced = content(file, file.unsynced);
      file.unsynced.clear();
    }
  }

  private void name(String path, File file) {
    Naming naming = new Naming(path.substring(0, path.lastIndexOf('/')), path, file);
    put(names, naming);
    unsyncedNames.add(naming);
  }

  private void keep(Naming naming) {
    put(syncedNames, naming);
  }

  private static void put(Map<String, File> into, Naming naming) {
    if (naming.file == null) {
      into.remove(naming.path);
    } else {
      into.put(naming.path, naming.file);
    }
  }

  /**
   * Returns the file that the event changes, if it is below the folder; otherwise an empty text.
   */
  String changed(Event event) {
    File file = files.get(event.inode());
    return names.entrySet().stream()
        .filter(name -> file != null && name.getValue() == file)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("");
  }

  /** Writes the files as a crash at this moment could leave them. */
  void write(Crash crash, Random random, Path target) throws IOException {
    Map<String, File> kept = new TreeMap<>(crash == Crash.PROCESS ? names : syncedNames);
    if (crash == Crash.SOME_UNSYNCED) {
      int count = random.nextInt(unsyncedNames.size() + 1);
      unsyncedNames.subList(0, count).forEach(naming -> put(kept, naming));
    }
    Map<File, byte[]> contents = new HashMap<>();
    write(
        kept,
        file ->
            contents.computeIfAbsent(
                file,
                key ->
                    switch (crash) {
                      case PROCESS -> content(key, key.unsynced);
                      case NOTHING_UNSYNCED -> key.synced;
                      case SOME_UNSYNCED -> someContent(key, random);
                    }),
        target);
  }

  /**
   * Writes the files as a crash of the process leaves them, but with only the first bytes of the
   * last write to a file.
   */
  void writeTorn(Event last, int bytes, Path target) throws IOException {
    File torn = files.get(last.inode());
    write(
        names,
        file -> {
          if (file != torn) {
            return content(file, file.unsynced);
          }
          List<Change> changes = new ArrayList<>(file.unsynced);
          Change cut = changes.remove(changes.size() - 1);
          changes.add(new Change(cut.number, Arrays.copyOf(cut.bytes, bytes)));
          return content(file, changes);
        },
        target);
  }

  private interface Content {
    byte[] of(File file);
  }

  private void write(Map<String, File> kept, Content content, Path target) throws IOException {
    for (Map.Entry<String, File> name : kept.entrySet()) {
      Path path = target.resolve(name.getKey().substring(root.length() + 1));
      if (name.getValue() == FOLDER) {
        Files.createDirectories(path);
      } else if (Files.isDirectory(path.getParent())) {
        Files.write(path, content.of(name.getValue()));
      }
    }
  }

  private static byte[] content(File file, List<Change> changes) {
    byte[] content = file.synced;
    for (Change change : changes) {
      content = changed(content, change);
    }
    return content;
  }

  private static byte[] changed(byte[] content, Change change) {
    if (change.bytes == null) {
      return Arrays.copyOf(content, (int) change.number);
    }
    int end = (int) change.number + change.bytes.length;
    byte[] result = Arrays.copyOf(content, Math.max(content.length, end));
    System.arraycopy(change.bytes, 0, result, (int) change.number, change.bytes.length);
    return result;
  }

  /** Returns a content with some of the changes that were not synced, in one of several ways. */
  private static byte[] someContent(File file, Random random) {
    int whole = random.nextInt(file.unsynced.size() + 1);
    byte[] content = content(file, file.unsynced.subList(0, whole));
    if (whole == file.unsynced.size() || random.nextBoolean()) {
      return content;
    }
    for (Change change : file.unsynced.subList(whole, file.unsynced.size())) {
      content = withSomeSectors(content, change, random);
    }
    return content;
  }

  /** Applies a write, but leaves the old bytes, or zeros, in some sectors. */
  private static byte[] withSomeSectors(byte[] content, Change change, Random random) {
    byte[] result = changed(content, change);
    if (change.bytes == null) {
      return random.nextBoolean() ? result : content;
    }
    int from = (int) change.number;
    int end = from + change.bytes.length;
    for (int at = from; at < end; ) {
      int next = Math.min(end, (at / SECTOR_BYTES + 1) * SECTOR_BYTES);
      if (random.nextBoolean()) {
        for (int i = at; i < next; i++) {
          result[i] = i < content.length ? content[i] : 0;
        }
      }
      at = next;
    }
    int grown = random.nextInt(result.length - content.length + 1);
    return random.nextBoolean() ? result : Arrays.copyOf(result, content.length + grown);
  }
}
