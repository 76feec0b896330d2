package io.lazuli.storage.hbase.chunk;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** A file system whose calls fail or wait as the test wants it. Files have no content. */
final class FakeFiles extends FileSystem {
  /** A call that a test controls. */
  @FunctionalInterface
  interface Call {
    void run() throws IOException;
  }

  /** The files and folders that exist, with their permissions. */
  final Map<Path, FsPermission> present = new ConcurrentHashMap<>();

  /** Files that cannot be deleted. */
  final Set<String> stuck = ConcurrentHashMap.newKeySet();

  /** The number of files that are being written. */
  final AtomicInteger open = new AtomicInteger();

  final AtomicInteger deletions = new AtomicInteger();

  /** Runs after a file was created, before its writer learns of it. */
  volatile Call afterCreate = () -> {};

  volatile Call beforeWrite = () -> {};
  volatile Call beforeEnd = () -> {};

  /** Returns the folder of chunks in this file system. */
  ChunkFolder folder() {
    return new ChunkFolder(this, this, new Path("/chunks"), (short) 3, 1 << 20);
  }

  long files() {
    return present.keySet().stream().filter(path -> path.getName().length() == 16).count();
  }

  @Override
  public FSDataOutputStream create(
      Path path,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress)
      throws IOException {
    present.put(path, permission);
    open.incrementAndGet();
    try {
      afterCreate.run();
    } catch (IOException e) {
      // The client gives the stream up with the call.
      open.decrementAndGet();
      throw e;
    }
    return new FSDataOutputStream(stream(), null);
  }

  private OutputStream stream() {
    return new ByteArrayOutputStream() {
      private boolean ended;

      @Override
      public synchronized void write(byte[] bytes, int offset, int length) {
        try {
          beforeWrite.run();
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      }

      @Override
      public synchronized void close() {
        if (!ended) {
          ended = true;
          open.decrementAndGet();
        }
      }
    };
  }

  @Override
  public boolean delete(Path path, boolean recursive) throws IOException {
    deletions.incrementAndGet();
    if (stuck.contains(path.getName())) {
      throw new IOException("not allowed");
    }
    return present.remove(path) != null;
  }

  @Override
  public boolean mkdirs(Path path, FsPermission permission) {
    present.put(path, permission);
    return true;
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    if (!present.containsKey(path)) {
      throw new FileNotFoundException(path.toString());
    }
    return new FileStatus();
  }

  @Override
  public void close() throws IOException {
    beforeEnd.run();
  }

  @Override
  public URI getUri() {
    return URI.create("fake:///");
  }

  @Override
  public Path getWorkingDirectory() {
    return new Path("/");
  }

  @Override
  public void setWorkingDirectory(Path path) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean rename(Path from, Path to) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileStatus[] listStatus(Path path) {
    throw new UnsupportedOperationException();
  }
}
