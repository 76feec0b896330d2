package io.lazuli.storage.rocksdb.disk;

import io.lazuli.storage.DataFormat;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StoreCut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder that holds all data of an engine. One engine at a time can open it. Its file {@code
 * FORMAT} names the data format. A folder that is not a data folder, is newer than this server, or
 * is in use is refused before anything in it changes.
 */
public final class DataFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);

  /** The name of the file that names the format. */
  public static final String FORMAT = "FORMAT";

  private static final String DRAFT_ENDING = ".new";
  private static final String LOCK = "LOCK";
  private static final String IDENTITY = "store-id";
  private static final Pattern FORMAT_LINE =
      Pattern.compile("lazuli data format ([1-9]\\d{0,8})\\s*");

  /**
   * Names that a folder without data may contain: files of an interrupted first start, the folder
   * that some file systems create, and accounts, roles, settings and the development identity,
   * which may be made before the first start.
   */
  private static final Set<String> NOT_DATA =
      Set.of(
          LOCK,
          FORMAT + DRAFT_ENDING,
          "lost+found",
          "accounts",
          "accounts.lock",
          "accounts.new",
          "admin-token",
          "dev-identity",
          "endpoints",
          "lazuli.properties",
          "roles",
          "roles.lock",
          "roles.new");

  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  /** Folders are made for their owner only: the data of all accounts is in them. */
  private static final FileAttribute<?>[] PRIVATE =
      POSIX
          ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
          }
          : new FileAttribute<?>[0];

  private final Path root;
  private final FileChannel lock;

  private DataFolder(Path root, FileChannel lock) {
    this.root = root;
    this.lock = lock;
  }

  public static DataFolder open(Path root) {
    try {
      Files.createDirectories(root, PRIVATE);
      warnIfOpenToOthers(root);
      refuseUnfinished(root);
      refuseForeign(root);
      FileChannel lock = lock(root);
      try {
        return prepare(new DataFolder(root, lock));
      } catch (IOException | EngineOpenException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new EngineOpenException("cannot open the data folder " + root + ": " + e, e);
    }
  }

  /** Opens a folder whose restore has not finished, for the command that restores it. */
  public static DataFolder openUnfinished(Path root) {
    try {
      FileChannel lock = lock(root);
      try {
        return prepare(new DataFolder(root, lock));
      } catch (IOException | EngineOpenException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new EngineOpenException("cannot open the data folder " + root + ": " + e, e);
    }
  }

  /** Opens a folder that already has data, for a command that must not make a new one. */
  public static DataFolder openExisting(Path root) {
    if (!Files.exists(root.resolve(FORMAT))) {
      throw new EngineOpenException(root + " is not a data folder of Lazuli", null);
    }
    return open(root);
  }

  /** Returns the folder itself. */
  public Path root() {
    return root;
  }

  /**
   * Warns about a folder that others may read. It was made by somebody else, who may want that, so
   * its rights do not change.
   */
  private static void warnIfOpenToOthers(Path root) throws IOException {
    if (POSIX && isOpenToOthers(root)) {
      LOG.warn("other users can read the data folder {}: chmod 700 {}", root, root);
    }
  }

  private static boolean isOpenToOthers(Path root) throws IOException {
    String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(root));
    return !rights.endsWith("------");
  }

  /** Returns the folder of RocksDB's files. */
  public Path database() {
    return root.resolve("rocksdb");
  }

  /** Returns the folder of the files of chunks. */
  public Path chunks() {
    return root.resolve("chunks");
  }

  /** Returns the folder of a cut, which exists while a backup is made. */
  public Path cut() {
    return root.resolve("cut");
  }

  /**
   * Returns a name of this folder that no other folder has, and makes one if there is none. Cuts do
   * not contain it, so a restored folder gets another one.
   */
  public String identity() throws IOException {
    Path file = root.resolve(IDENTITY);
    if (!Files.exists(file)) {
      writeWhole(IDENTITY, UUID.randomUUID() + "\n");
    }
    return Files.readString(file, StandardCharsets.UTF_8).strip();
  }

  /** Copies the file with the format into another folder. */
  public void copyFormat(Path other) throws IOException {
    Files.copy(root.resolve(FORMAT), other.resolve(FORMAT));
  }

  /** Releases the folder. Closing the channel ends the lock. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new IllegalStateException("the lock of " + root + " could not be released", e);
    }
  }

  private static DataFolder prepare(DataFolder folder) throws IOException {
    if (Files.exists(folder.root.resolve(FORMAT))) {
      requireReadable(folder.root);
    } else {
      refuseForeign(folder.root);
      folder.writeFormat();
    }
    Files.createDirectories(folder.database(), PRIVATE);
    Files.createDirectories(folder.chunks(), PRIVATE);
    sync(folder.root);
    return folder;
  }

  /**
   * Raises the number in an older folder. Must be called before the first write, so that an older
   * server never meets records that it cannot read, and after every check that may refuse the
   * folder, because a refused folder stays unchanged.
   */
  public void raiseFormat() {
    try {
      int version = version(root);
      if (version < DataFormat.newest()) {
        writeFormat();
        LOG.info(
            "the data folder had format {} and has format {} now", version, DataFormat.newest());
      }
    } catch (IOException e) {
      throw new EngineOpenException("cannot write " + root.resolve(FORMAT) + ": " + e, e);
    }
  }

  /** Throws if the folder is the target of a restore that has not finished. */
  private static void refuseUnfinished(Path root) {
    if (Files.exists(root.resolve(StoreCut.UNFINISHED))) {
      throw new EngineOpenException(
          "the restore into " + root + " has not finished: empty the folder and restore again",
          null);
    }
  }

  /**
   * Throws if the folder holds files but no data of an engine. Called before the lock file is made,
   * so that such a folder stays unchanged.
   */
  private static void refuseForeign(Path root) throws IOException {
    if (Files.exists(root.resolve(FORMAT))) {
      return;
    }
    try (Stream<Path> files = Files.list(root)) {
      if (files.anyMatch(file -> !NOT_DATA.contains(file.getFileName().toString()))) {
        throw new EngineOpenException(
            root + " holds files but no " + FORMAT + ": it is not a data folder of Lazuli", null);
      }
    }
  }

  private static FileChannel lock(Path root) throws IOException {
    FileChannel channel =
        FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw inUse(root, e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw inUse(root, null);
  }

  private static EngineOpenException inUse(Path root, @Nullable Throwable cause) {
    return new EngineOpenException(
        "the data folder " + root + " is in use by another running server", cause);
  }

  private static void requireReadable(Path root) throws IOException {
    int version = version(root);
    if (version > DataFormat.newest()) {
      throw new EngineOpenException(
          ("the data folder %s has data format %d, but this server reads data formats up to %d:"
                  + " start the version that wrote the folder or a newer one, or use another folder")
              .formatted(root, version, DataFormat.newest()),
          null);
    }
  }

  private static int version(Path root) throws IOException {
    byte[] content = Files.readAllBytes(root.resolve(FORMAT));
    Matcher line = FORMAT_LINE.matcher(new String(content, StandardCharsets.UTF_8));
    if (!line.matches()) {
      throw new EngineOpenException(
          root.resolve(FORMAT) + " does not name a data format of Lazuli", null);
    }
    return Integer.parseInt(line.group(1));
  }

  private void writeFormat() throws IOException {
    writeWhole(FORMAT, "lazuli data format " + DataFormat.newest() + "\n");
    Path parent = root.toAbsolutePath().getParent();
    if (parent != null) {
      sync(parent);
    }
  }

  /** Writes a draft, syncs it and renames it, so that the file is either complete or absent. */
  private void writeWhole(String name, String text) throws IOException {
    Path draft = root.resolve(name + DRAFT_ENDING);
    byte[] line = text.getBytes(StandardCharsets.UTF_8);
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      channel.write(ByteBuffer.wrap(line));
      channel.force(true);
    }
    Files.move(draft, root.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    sync(root);
  }

  /**
   * Makes the names in a folder durable. Does nothing on Windows, where a folder cannot be opened.
   */
  public static void sync(Path folder) throws IOException {
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
