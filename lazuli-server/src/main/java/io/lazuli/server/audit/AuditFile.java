package io.lazuli.server.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of the audit, and the older files with {@code .1}, {@code .2} and so on after its name.
 * Only its owner can read it. Used by one thread; everything blocks.
 */
final class AuditFile implements AutoCloseable {
  private final Path file;
  private final long bytesMax;
  private final int filesMax;
  private @Nullable FileChannel channel;
  private @Nullable Object key;

  /** The end of the last whole write. */
  private long position;

  private boolean dirty;

  /** Opens the file, and takes it for this process. */
  AuditFile(AuditConfig config) throws IOException {
    this.file = Objects.requireNonNull(config.file()).toAbsolutePath();
    this.bytesMax = config.fileBytesMax();
    this.filesMax = config.filesMax();
    FileChannel unused = open();
  }

  /** Appends whole lines. If it fails, the file is as it was, and the caller can try again. */
  void write(byte[] lines) throws IOException {
    FileChannel to = open();
    if (position > 0 && position + lines.length > bytesMax) {
      to = rotated(to);
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(lines);
      while (bytes.hasRemaining()) {
        to.write(bytes, position + bytes.position());
      }
    } catch (IOException e) {
      // A full disk leaves a part of a line.
      to.truncate(position);
      throw e;
    }
    position += lines.length;
    dirty = true;
  }

  /**
   * Forces to disk what was written. If somebody else has moved or removed the file, the next line
   * begins a new one.
   */
  void sync() throws IOException {
    FileChannel open = channel;
    if (open == null || !dirty) {
      return;
    }
    open.force(false);
    dirty = false;
    if (!Objects.equals(key, key())) {
      close();
    }
  }

  private FileChannel open() throws IOException {
    if (channel != null) {
      return channel;
    }
    FileChannel opened =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            onlyForOwner());
    try {
      requireLock(opened);
      position = opened.size();
      if (position > 0 && last(opened) != '\n') {
        // The process was killed or the disk was full in the middle of a line.
        opened.write(ByteBuffer.wrap(new byte[] {'\n'}), position++);
      }
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    key = key();
    channel = opened;
    return opened;
  }

  /** Takes the file until it is closed: two servers would overwrite each other's lines. */
  private void requireLock(FileChannel opened) throws IOException {
    FileLock lock;
    try {
      lock = opened.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new IOException("another server writes to " + file);
    }
  }

  private byte last(FileChannel opened) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    int unused = opened.read(last, position - 1);
    return last.get(0);
  }

  private FileChannel rotated(FileChannel full) throws IOException {
    full.force(false);
    close();
    Files.deleteIfExists(older(filesMax - 1));
    for (int i = filesMax - 2; i >= 0; i--) {
      if (Files.exists(older(i), LinkOption.NOFOLLOW_LINKS)) {
        Files.move(older(i), older(i + 1), StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return open();
  }

  /** Returns the name of an older file; 0 for the current one. */
  private Path older(int number) {
    return number == 0 ? file : file.resolveSibling(file.getFileName() + "." + number);
  }

  private @Nullable Object key() {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .fileKey();
    } catch (IOException e) {
      return "missing";
    }
  }

  private FileAttribute<?>[] onlyForOwner() {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }
}
