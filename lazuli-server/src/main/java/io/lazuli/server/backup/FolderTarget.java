package io.lazuli.server.backup;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Backups in a folder. A file {@code lazuli-backup} marks it, {@code objects/ab/SHA-256} are the
 * contents, and {@code backups/ID.json} the records. Objects and records are written under another
 * name, synced and renamed, so that each is whole or absent, whenever the process is killed.
 */
final class FolderTarget implements BackupTarget {
  private static final String MARK = "lazuli-backup";
  private static final String MARK_LINE = "lazuli backup format 1\n";
  private static final String RECORD_ENDING = ".json";
  private static final String DRAFT_ENDING = ".new";

  /** The bytes that are read and written at a time: few, so that requests get the processor. */
  private static final int PIECE_BYTES = 64 << 10;

  /** The bytes after which a draft is synced, so that no sync takes long and delays others. */
  private static final long SYNC_BYTES = 1 << 20;

  private static final int RECORD_BYTES_MAX = 64 << 10;
  private static final long ARCHIVE_LOCK_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);
  private static final long ARCHIVE_LOCK_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Path root;
  private final Path objects;
  private final Path records;
  private final Path archives;

  /** The content that is being stored. */
  private Path draft;

  /** The folders with names that are not durable yet. */
  private final Set<Path> unsynced = new HashSet<>();

  private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
  private @Nullable FileChannel lock;

  FolderTarget(Path root) {
    this.root = root;
    this.objects = root.resolve("objects");
    this.records = root.resolve("backups");
    this.archives = root.resolve("archive");
    this.draft = objects.resolve(draft("object"));
  }

  @Override
  public String place() {
    return root.toString();
  }

  @Override
  public void create() throws IOException {
    Files.createDirectories(root, ownerOnly());
    if (isMarked()) {
      return;
    }
    try (Stream<Path> files = Files.list(root)) {
      if (files.anyMatch(file -> !Set.of("lost+found", "lock", draft(MARK)).contains(name(file)))) {
        throw new BackupException(root + " is not empty and holds no backups");
      }
    }
    Files.createDirectories(objects);
    Files.createDirectories(records);
    writeWhole(root, MARK, MARK_LINE.getBytes(StandardCharsets.UTF_8));
  }

  private FileAttribute<?>[] ownerOnly() {
    return root.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
        }
        : new FileAttribute<?>[0];
  }

  private boolean isMarked() throws IOException {
    Path mark = root.resolve(MARK);
    if (!Files.exists(mark)) {
      return false;
    }
    if (Files.size(mark) != MARK_LINE.length() || !Files.readString(mark).equals(MARK_LINE)) {
      throw new BackupException(
          root + " holds backups of a format that this version does not read");
    }
    return true;
  }

  private void requireMarked() throws IOException {
    if (!isMarked()) {
      throw new BackupException(root + " holds no backups");
    }
  }

  @Override
  public void lock() throws IOException {
    requireMarked();
    FileChannel channel =
        FileChannel.open(root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    lock = channel;
    @Nullable FileLock taken;
    try {
      taken = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      taken = null;
    }
    if (taken == null) {
      channel.close();
      throw new BackupException("another command works on the backups in " + root);
    }
    removeDrafts();
  }

  /** Removes what a killed process left. */
  private void removeDrafts() throws IOException {
    for (Path folder : List.of(objects, records)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.filter(file -> name(file).endsWith(DRAFT_ENDING)).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  @Override
  public List<String> ids() throws IOException {
    requireMarked();
    try (Stream<Path> files = Files.list(records)) {
      return files
          .map(FolderTarget::name)
          .filter(name -> name.endsWith(RECORD_ENDING))
          .map(name -> name.substring(0, name.length() - RECORD_ENDING.length()))
          .sorted()
          .toList();
    }
  }

  @Override
  public BackupRecord record(String id) throws IOException {
    Path file = records.resolve(id + RECORD_ENDING);
    try {
      if (Files.size(file) > RECORD_BYTES_MAX) {
        throw new BackupException("the record of backup " + id + " is damaged");
      }
      return BackupRecord.decode(id, Files.readAllBytes(file));
    } catch (NoSuchFileException e) {
      throw new BackupException("there is no backup " + id + " in " + root);
    }
  }

  @Override
  public void commit(BackupRecord record) throws IOException {
    syncObjects();
    writeWhole(records, record.id() + RECORD_ENDING, record.encode());
  }

  private void syncObjects() throws IOException {
    if (!unsynced.isEmpty()) {
      for (Path folder : unsynced) {
        sync(folder);
      }
      sync(objects);
      unsynced.clear();
    }
  }

  @Override
  public void forget(String id) throws IOException {
    Files.deleteIfExists(records.resolve(id + RECORD_ENDING));
    sync(records);
  }

  @Override
  public String put(Source source, long length, Meter meter) throws IOException {
    MessageDigest digest = Sha256.begin();
    try (ReadableByteChannel in = source.open();
        FileChannel out = createDraft(draft)) {
      long copied = copy(in, out, digest, meter);
      if (copied != length) {
        throw new IOException("a file has " + copied + " bytes instead of " + length);
      }
    }
    String name = Sha256.name(digest);
    Path file = file(name);
    unsynced.add(folder(name));
    if (Files.exists(file)) {
      Files.delete(draft);
    } else {
      Files.createDirectories(folder(name));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      meter.added(length);
    }
    return name;
  }

  private static FileChannel createDraft(Path draft) throws IOException {
    return FileChannel.open(
        draft,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE);
  }

  private long copy(ReadableByteChannel in, FileChannel out, MessageDigest digest, Meter meter)
      throws IOException {
    long copied = 0;
    long syncedAt = 0;
    for (piece.clear(); in.read(piece) >= 0; piece.clear()) {
      piece.flip();
      int bytes = piece.remaining();
      digest.update(piece.duplicate());
      while (piece.hasRemaining()) {
        out.write(piece);
      }
      copied += bytes;
      if (copied - syncedAt >= SYNC_BYTES) {
        out.force(false);
        syncedAt = copied;
      }
      meter.moved(bytes);
    }
    out.force(true);
    return copied;
  }

  @Override
  public boolean stillHas(String sha256, long length) throws IOException {
    try {
      return Files.size(file(sha256)) == length;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public InputStream open(String sha256) throws IOException {
    return Files.newInputStream(file(sha256));
  }

  @Override
  public void forEachObject(ObjectVisitor visitor) throws IOException {
    requireMarked();
    try (Stream<Path> folders = Files.list(objects)) {
      for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.filter(each -> Sha256.isName(name(each))).sorted().toList()) {
            visitor.visit(name(file), Files.size(file));
          }
        }
      }
    }
  }

  @Override
  public void delete(String sha256) throws IOException {
    Files.deleteIfExists(file(sha256));
  }

  @Override
  public boolean has(String sha256, long length) throws IOException {
    return stillHas(sha256, length);
  }

  /** Drafts of the archive are in a folder of its store, where a backup does not remove them. */
  @Override
  public void openArchive(String store) throws IOException {
    requireMarked();
    Path folder = archives.resolve(store);
    Files.createDirectories(folder);
    sync(archives);
    sync(root);
    draft = folder.resolve(draft("object"));
  }

  @Override
  public Closeable lockArchives() throws IOException {
    Files.createDirectories(archives);
    FileChannel channel =
        FileChannel.open(
            archives.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    long begun = System.nanoTime();
    while (!tryLock(channel)) {
      if (System.nanoTime() - begun > ARCHIVE_LOCK_NANOS_MAX) {
        channel.close();
        throw new BackupException("another command works on the archive in " + root);
      }
      LockSupport.parkNanos(ARCHIVE_LOCK_PAUSE_NANOS);
    }
    return channel;
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  @Override
  public List<String> archived() throws IOException {
    requireMarked();
    if (!Files.isDirectory(archives)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(archives, 3)) {
      return files
          .filter(file -> archives.relativize(file).getNameCount() == 3)
          .map(file -> archives.relativize(file).toString().replace('\\', '/'))
          .filter(name -> !name.endsWith(DRAFT_ENDING))
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public InputStream openArchived(String name) throws IOException {
    try {
      return Files.newInputStream(archives.resolve(name));
    } catch (NoSuchFileException e) {
      throw new BackupException("the archive in " + root + " has lost " + name, e);
    }
  }

  @Override
  public void putArchived(String name, byte[] content) throws IOException {
    syncObjects();
    Path file = archives.resolve(name);
    Path folder = parent(file);
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      sync(parent(folder));
    }
    writeWhole(folder, name(file), content);
  }

  @Override
  public void deleteArchived(String name) throws IOException {
    Path file = archives.resolve(name);
    Files.deleteIfExists(file);
    removeIfEmpty(parent(file));
  }

  private static void removeIfEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      // Others stay.
    }
  }

  @Override
  public void close() throws IOException {
    if (lock != null) {
      lock.close();
      lock = null;
    }
  }

  private static void writeWhole(Path folder, String name, byte[] content) throws IOException {
    Path draft = folder.resolve(draft(name));
    try (FileChannel out = createDraft(draft)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    sync(folder);
  }

  /** Makes the names in a folder durable; on Windows a folder cannot be opened. */
  static void sync(Path folder) throws IOException {
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private static String draft(String name) {
    return name + DRAFT_ENDING;
  }

  private static Path parent(Path file) {
    return file.resolveSibling("");
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }

  private Path folder(String sha256) {
    return objects.resolve(sha256.substring(0, 2));
  }

  private Path file(String sha256) {
    return folder(sha256).resolve(sha256);
  }
}
