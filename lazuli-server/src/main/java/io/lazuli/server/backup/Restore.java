package io.lazuli.server.backup;

import io.lazuli.storage.Replay;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.StoreRestore;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the files of a backup into an empty folder. The first file is a mark with which no server
 * opens the folder; it is removed when everything is durable and every checksum was right.
 */
public final class Restore {
  private static final String CHUNKS = "chunks/";
  private static final int PIECE_BYTES = 256 << 10;

  private final BackupTarget target;
  private final Meter meter;
  private final Set<Path> folders = new TreeSet<>();

  /** The chunks that the archive has, by their names; empty without a point in time. */
  private final Map<String, FileEntry> archived = new HashMap<>();

  /** Opens the files of a backup to apply changes. */
  @FunctionalInterface
  public interface Opener {
    Replay open(Path folder);
  }

  /**
   * The result of a restore.
   *
   * @param changes the number of changes after the backup
   * @param missing the number of chunks that neither the backup nor the archive has
   */
  public record Result(long changes, long missing) {}

  public Restore(BackupTarget target, Meter meter) {
    this.target = target;
    this.meter = meter;
  }

  /**
   * Returns a backup.
   *
   * @param id null for the newest one
   * @throws BackupException if there is no such backup
   */
  public static BackupRecord find(BackupTarget target, @Nullable String id) throws IOException {
    List<String> ids = target.ids();
    if (ids.isEmpty() || (id != null && !ids.contains(id))) {
      throw new BackupException(
          "there is no backup" + (id == null ? "" : " " + id) + " in " + target.place());
    }
    return target.record(id == null ? ids.get(ids.size() - 1) : id);
  }

  /**
   * Restores a backup.
   *
   * @param folder is created if it does not exist
   * @throws BackupException if the folder is not empty, or an object is missing or damaged
   */
  public void into(Path folder, BackupRecord backup) throws IOException {
    into(folder, backup, entry -> true);
  }

  /**
   * Restores a moment.
   *
   * @param folder is created if it does not exist
   * @throws BackupException if the folder is not empty, or something is missing or damaged
   */
  public Result into(Path folder, RestorePoint point, Opener opener) throws IOException {
    Path mark = begin(folder, point.backup().bytes());
    restoreFiles(folder, point.backup(), Restore::isRecord);
    long[] missing = {0};
    long changes;
    try (Replay replay = opener.open(folder);
        ListReader list = ListReader.open(target, point.backup())) {
      changes = point.replay(target, replay, archived, meter);
      replay.forEachChunk(
          file -> {
            FileEntry archivedHere = archived.get(file.name());
            FileEntry entry = archivedHere == null ? list.find(file.name()) : archivedHere;
            if (entry == null) {
              missing[0]++;
            } else {
              restore(folder, entry);
            }
          });
      replay.finish();
    }
    requireUsable(folder, opener);
    finish(folder, mark);
    return new Result(changes, missing[0]);
  }

  /**
   * Restores the records of a moment without its chunks, for a store that is only read.
   *
   * @param folder is created if it does not exist
   */
  public Result recordsInto(Path folder, RestorePoint point, Opener opener) throws IOException {
    Path mark = begin(folder, point.backup().bytes());
    restoreFiles(folder, point.backup(), Restore::isRecord);
    long changes;
    try (Replay replay = opener.open(folder)) {
      changes = point.replay(target, replay, archived, meter);
      replay.finish();
    }
    finish(folder, mark);
    return new Result(changes, 0);
  }

  /** Opens the restored files once more, as a server would. */
  private static void requireUsable(Path folder, Opener opener) {
    opener.open(folder).close();
  }

  private static boolean isRecord(FileEntry entry) {
    return !entry.name().startsWith(CHUNKS);
  }

  /**
   * Restores a backup into a store that is not a folder.
   *
   * @param store is complete afterwards; if the restore fails, no server opens it
   * @param folder gets the accounts file, if the backup has it
   * @throws BackupException if an object is missing or damaged
   */
  public void into(StoreRestore store, Path folder, BackupRecord backup) throws IOException {
    meter.expect(backup.bytes());
    long files = 0;
    try (ListReader list = ListReader.open(target, backup)) {
      for (FileEntry entry = list.next(); entry != null; entry = list.next()) {
        files++;
        if (entry.name().equals(BackupRun.ACCOUNTS)) {
          Files.createDirectories(folder, rights(folder, "rwx------"));
          restore(folder, entry);
        } else {
          show(entry, store::write);
        }
      }
    }
    requireAll(files, backup);
    store.complete();
  }

  /**
   * Requires that nothing is in the way of a restore into a store that is not a folder.
   *
   * @throws BackupException if the backup has an accounts file, and the folder too
   */
  public static void requireNoAccounts(Path folder, BackupRecord backup) {
    Path file = folder.resolve(BackupRun.ACCOUNTS);
    if (backup.accounts() && Files.exists(file)) {
      throw new BackupException(
          file + " exists, and the backup has an accounts file: move it away");
    }
  }

  /** Takes the content of a file, which is compared with its checksum afterwards. */
  @FunctionalInterface
  public interface ContentVisitor {
    void visit(String name, InputStream content) throws IOException;
  }

  /**
   * Shows the names of the files of a backup, sorted except for the accounts file.
   *
   * @throws BackupException if the list is damaged
   */
  public void forEachName(BackupRecord backup, Consumer<String> names) throws IOException {
    try (ListReader list = ListReader.open(target, backup)) {
      for (FileEntry entry = list.next(); entry != null; entry = list.next()) {
        names.accept(entry.name());
      }
    }
  }

  /**
   * Shows the contents of some files of a backup.
   *
   * @throws BackupException if one is missing or damaged
   */
  public void forEach(BackupRecord backup, Predicate<String> wanted, ContentVisitor visitor)
      throws IOException {
    try (ListReader list = ListReader.open(target, backup)) {
      for (FileEntry entry = list.next(); entry != null; entry = list.next()) {
        if (wanted.test(entry.name())) {
          show(entry, visitor);
        }
      }
    }
  }

  private void show(FileEntry entry, ContentVisitor visitor) throws IOException {
    try (CheckedContent content = new CheckedContent(target.open(entry.sha256()), entry, meter)) {
      // Visitors read few bytes at a time.
      visitor.visit(entry.name(), new BufferedInputStream(content, PIECE_BYTES));
      content.requireWhole();
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw new BackupException("the backup has lost " + entry.name(), e);
    } catch (IllegalArgumentException e) {
      throw new BackupException("the backup of " + entry.name() + " is damaged", e);
    }
  }

  private static void requireAll(long files, BackupRecord backup) {
    if (files != backup.files()) {
      throw new BackupException("the list of backup " + backup.id() + " is damaged");
    }
  }

  /**
   * Restores the records of a backup without its chunks, for a store that is only read.
   *
   * @param folder is created if it does not exist
   */
  public void recordsInto(Path folder, BackupRecord backup) throws IOException {
    into(folder, backup, Restore::isRecord);
  }

  /**
   * Adds chunks to a folder with the records of the same backup or moment.
   *
   * @param numbers the chunks that are wanted, by the number in their names
   */
  public void chunksInto(Path folder, BackupRecord backup, Set<Long> numbers) throws IOException {
    for (FileEntry entry : archived.values()) {
      if (numbers.contains(number(entry))) {
        restore(folder, entry);
      }
    }
    try (ListReader list = ListReader.open(target, backup)) {
      for (FileEntry entry = list.next(); entry != null; entry = list.next()) {
        if (!isRecord(entry)
            && !archived.containsKey(entry.name())
            && numbers.contains(number(entry))) {
          restore(folder, entry);
        }
      }
    }
  }

  private static long number(FileEntry chunk) {
    return HexFormat.fromHexDigitsToLong(chunk.name().substring(chunk.name().lastIndexOf('/') + 1));
  }

  private void into(Path folder, BackupRecord backup, Predicate<FileEntry> wanted)
      throws IOException {
    Path mark = begin(folder, backup.bytes());
    restoreFiles(folder, backup, wanted);
    finish(folder, mark);
  }

  /** Marks the folder, so that no server opens it. */
  private Path begin(Path folder, long bytes) throws IOException {
    Files.createDirectories(folder, rights(folder, "rwx------"));
    requireEmpty(folder);
    Path mark = Files.createFile(folder.resolve(StoreCut.UNFINISHED));
    FolderTarget.sync(folder);
    meter.expect(bytes);
    return mark;
  }

  private void finish(Path folder, Path mark) throws IOException {
    for (Path changed : folders) {
      FolderTarget.sync(changed);
    }
    Files.delete(mark);
    FolderTarget.sync(folder);
  }

  private void restoreFiles(Path folder, BackupRecord backup, Predicate<FileEntry> wanted)
      throws IOException {
    long files = 0;
    try (ListReader list = ListReader.open(target, backup)) {
      for (FileEntry entry = list.next(); entry != null; entry = list.next()) {
        files++;
        if (wanted.test(entry)) {
          restore(folder, entry);
        }
      }
    }
    requireAll(files, backup);
  }

  private static void requireEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      if (files.anyMatch(file -> !file.getFileName().toString().equals("lost+found"))) {
        throw new BackupException(folder + " is not empty: a restore needs an empty folder");
      }
    }
  }

  private void restore(Path folder, FileEntry entry) throws IOException {
    Path file = folder.resolve(entry.name()).normalize();
    if (!file.startsWith(folder.normalize())) {
      throw new BackupException("the list of a backup is damaged: " + entry.name());
    }
    for (Path parent = file.getParent();
        parent != null && parent.startsWith(folder.normalize()) && folders.add(parent);
        parent = parent.getParent()) {
      Files.createDirectories(parent);
    }
    MessageDigest digest = Sha256.begin();
    long copied;
    try (InputStream in = target.open(entry.sha256());
        FileChannel out = create(file)) {
      copied = copy(in, out, digest);
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw new BackupException("the backup has lost " + entry.name(), e);
    }
    if (copied != entry.length() || !Sha256.name(digest).equals(entry.sha256())) {
      throw new BackupException("the backup of " + entry.name() + " is damaged");
    }
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        rights(file, "rw-------"));
  }

  private long copy(InputStream in, FileChannel out, MessageDigest digest) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    long copied = 0;
    for (int bytes = in.read(piece); bytes >= 0; bytes = in.read(piece)) {
      digest.update(piece, 0, bytes);
      ByteBuffer left = ByteBuffer.wrap(piece, 0, bytes);
      while (left.hasRemaining()) {
        out.write(left);
      }
      copied += bytes;
      meter.moved(bytes);
    }
    out.force(true);
    return copied;
  }

  private static FileAttribute<?>[] rights(Path path, String rights) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))
        }
        : new FileAttribute<?>[0];
  }
}
