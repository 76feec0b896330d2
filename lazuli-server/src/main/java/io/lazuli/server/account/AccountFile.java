package io.lazuli.server.account;

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
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The file of accounts and their keys. Readers always see a complete file: an edit writes a new
 * file, syncs it and renames it over the old one. Editors, in this and in other processes, take
 * turns with a lock on a file next to it, so none loses another's change.
 *
 * <p>Anybody who can read the file has full access to the accounts. The file is therefore created
 * for its owner only, and a file that is accessible to others is refused, as ssh refuses keys. File
 * systems without such permissions are not checked.
 */
public final class AccountFile {
  private static final int BYTES_MAX = 4 << 20;
  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private static final Set<PosixFilePermission> OWNER_FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private final Path path;

  public AccountFile(Path path) {
    this.path = path.toAbsolutePath().normalize();
  }

  /** Returns the file at its default location in the data folder. */
  public static AccountFile inside(Path dataFolder) {
    return new AccountFile(dataFolder.resolve("accounts"));
  }

  public Path path() {
    return path;
  }

  public boolean exists() {
    return Files.exists(path);
  }

  /**
   * Returns this file if it exists.
   *
   * @throws AccountFileException if there is no file
   */
  public AccountFile existing() {
    if (!exists()) {
      throw new AccountFileException("there is no accounts file " + path);
    }
    return this;
  }

  /**
   * Returns the content; an empty set if there is no file.
   *
   * @throws AccountFileException if the file cannot be read, is accessible to others, or is invalid
   */
  public AccountSet read() {
    AccountSet held = readIfThere();
    return held == null ? AccountSet.EMPTY : held;
  }

  /**
   * Returns the content; null if there is no file. A caller that checked {@link #exists} before
   * cannot be sure of the result, because the file may be removed in between.
   */
  @Nullable AccountSet readIfThere() {
    try {
      refuseOpenToOthers();
      if (Files.size(path) > BYTES_MAX) {
        throw new AccountFileException(path + " is too large for an accounts file");
      }
      return AccountFileText.parse(Files.readString(path, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw new AccountFileException("cannot read the accounts file " + path + ": " + e, e);
    } catch (AccountFileException e) {
      throw new AccountFileException(
          "the accounts file " + path + " is refused; " + e.getMessage());
    }
  }

  /**
   * Returns the bytes of the file, for a backup; null if there is no file.
   *
   * @throws UncheckedIOException if the file cannot be read
   */
  public byte @Nullable [] content() {
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
  public AccountSet edit(UnaryOperator<AccountSet> change) {
    try {
      // A link stays a link: the file that it points to is replaced.
      Path target = exists() ? path.toRealPath() : path;
      Files.createDirectories(folder(target), rights(OWNER_FOLDER));
      // A file lock belongs to the process, so the threads of this process take turns here.
      synchronized (AccountFile.class) {
        return editLocked(target, change);
      }
    } catch (IOException e) {
      throw new AccountFileException("cannot change the accounts file " + path + ": " + e, e);
    }
  }

  private AccountSet editLocked(Path target, UnaryOperator<AccountSet> change) throws IOException {
    try (FileChannel channel = open(sibling(target, ".lock"), StandardOpenOption.CREATE)) {
      FileLock lock = channel.lock();
      try {
        AccountSet before = read();
        AccountSet after = change.apply(before);
        if (!after.equals(before)) {
          replace(target, AccountFileText.write(after));
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
        throw new AccountFileException(
            "others than its owner have access to it: chmod 600 " + path);
      }
    }
  }

  /** Returns a value that is cheap to read and changes when the file changes. */
  Stamp stamp() {
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
  record Stamp(FileTime modified, long size, @Nullable Object fileKey) {
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
