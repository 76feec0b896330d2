package io.lazuli.server.watch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A small text file that says who may do what. Readers always see a complete file: an edit writes a
 * new file, syncs it and renames it over the old one. Editors, in this and in other processes, take
 * turns with a lock on a file next to it, so none loses another's change.
 *
 * <p>The file is created for its owner only, and a file that is accessible to others is refused, as
 * ssh refuses keys. File systems without such permissions are not checked.
 *
 * @param <T> the content
 */
public class OwnerFile<T> {
  private static final int BYTES_MAX = 4 << 20;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private static final Set<PosixFilePermission> OWNER_FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private final String title;
  private final Path path;
  private final T empty;
  private final Function<String, T> parse;
  private final Function<T, String> write;

  /**
   * @param title what the file is for, such as "accounts"
   * @param empty the content of a file that does not exist
   * @param parse parses a text; throws {@link RefusedFileException} if it is invalid
   */
  protected OwnerFile(
      String title, Path path, T empty, Function<String, T> parse, Function<T, String> write) {
    this.title = title;
    this.path = path.toAbsolutePath().normalize();
    this.empty = empty;
    this.parse = parse;
    this.write = write;
  }

  final String title() {
    return title;
  }

  /** Returns the content of a file that does not exist. */
  final T empty() {
    return empty;
  }

  public final Path path() {
    return path;
  }

  public final boolean exists() {
    return Files.exists(path);
  }

  /**
   * Throws unless the file exists, so that a wrong folder does not look like an empty file.
   *
   * @throws RefusedFileException if there is no file
   */
  public final void requireExisting() {
    if (!exists()) {
      throw new RefusedFileException("there is no " + title + " file " + path);
    }
  }

  /**
   * Returns the content; the empty content if there is no file.
   *
   * @throws RefusedFileException if the file cannot be read, is accessible to others, or is invalid
   */
  public final T read() {
    T held = readIfThere();
    return held == null ? empty : held;
  }

  /**
   * Returns the content; null if there is no file. A caller that checked {@link #exists} before
   * cannot be sure of the result, because the file may be removed in between.
   */
  final @Nullable T readIfThere() {
    try {
      refuseOpenToOthers();
      if (Files.size(path) > BYTES_MAX) {
        throw new RefusedFileException(path + " is too large for a file of " + title);
      }
      return parse.apply(Files.readString(path, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new RefusedFileException("cannot read the " + title + " file " + path + ": " + e, e);
    } catch (RefusedFileException e) {
      throw new RefusedFileException(
          "the " + title + " file " + path + " is refused; " + e.getMessage());
    }
  }

  /**
   * Returns the bytes of the file, for a backup; null if there is no file.
   *
   * @throws UncheckedIOException if the file cannot be read
   */
  public final byte @Nullable [] content() {
    try {
      return Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Edits the file. If the change throws or changes nothing, the file stays as it is. Blocks while
   * others edit.
   *
   * @return the content after the edit
   */
  public final T edit(UnaryOperator<T> change) {
    try {
      // A link stays a link: the file that it points to is replaced.
      Path target = exists() ? path.toRealPath() : path;
      Files.createDirectories(folder(target), rights(OWNER_FOLDER));
      // A file lock belongs to the process, so the threads of this process take turns here.
      synchronized (OwnerFile.class) {
        return editLocked(target, change);
      }
    } catch (IOException e) {
      throw new RefusedFileException("cannot change the " + title + " file " + path + ": " + e, e);
    }
  }

  private T editLocked(Path target, UnaryOperator<T> change) throws IOException {
    try (FileChannel channel = open(sibling(target, ".lock"), StandardOpenOption.CREATE)) {
      FileLock lock = channel.lock();
      try {
        T before = read();
        T after = change.apply(before);
        if (!after.equals(before)) {
          replace(target, write.apply(after));
        }
        return after;
      } finally {
        lock.release();
      }
    }
  }

  private void replace(Path target, String text) throws IOException {
    Path draft = sibling(target, ".new");
    Files.deleteIfExists(draft);
    try (FileChannel channel = open(draft, StandardOpenOption.CREATE_NEW)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    if (hasPosixRights()) {
      try (FileChannel names = FileChannel.open(folder(target), StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }

  /**
   * Opens a file for its owner only. A file that root creates is given to the owner of the folder,
   * which is the user that the server runs as. Links are not followed: with a link, that user could
   * make root give away any other file.
   */
  private FileChannel open(Path file, OpenOption how) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(how, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            rights(OWNER_ONLY));
    try {
      if (hasPosixRights()) {
        giveToFolderOwner(file);
      }
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static void giveToFolderOwner(Path file) throws IOException {
    FileOwnerAttributeView owner =
        Files.getFileAttributeView(file, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (owner.getOwner().getName().equals("root")) {
      owner.setOwner(Files.getOwner(folder(file)));
    }
  }

  private FileAttribute<?>[] rights(Set<PosixFilePermission> permissions) {
    return hasPosixRights()
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  private void refuseOpenToOthers() throws IOException {
    if (hasPosixRights()) {
      String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
      if (!rights.endsWith("------")) {
        throw new RefusedFileException(
            "others than its owner have access to it: chmod 600 " + path);
      }
    }
  }

  /** Returns a value that is cheap to read and changes when the file changes. */
  public final Object stamp() {
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      return new Stamp(found.lastModifiedTime(), found.size(), found.fileKey());
    } catch (IOException e) {
      return Stamp.MISSING;
    }
  }

  /**
   * Properties of the file that change with its content.
   *
   * @param fileKey the file's number; each of our edits creates a new file
   */
  private record Stamp(FileTime modified, long size, @Nullable Object fileKey) {
    static final Stamp MISSING = new Stamp(FileTime.fromMillis(0), -1, null);
  }

  private static Path folder(Path file) {
    return Objects.requireNonNull(file.getParent(), "an absolute path of a file has a folder");
  }

  private static Path sibling(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private boolean hasPosixRights() {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
