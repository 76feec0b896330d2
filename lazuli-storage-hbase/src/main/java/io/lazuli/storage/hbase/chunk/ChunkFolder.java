package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.login.HadoopJava;
import io.lazuli.storage.thread.Threads;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder with the files of chunks: {@code FOLDER/STORE/three digits/chunk}. Several stores can
 * share a folder, because each has a name of its own. Every call may block. Thread-safe.
 */
public final class ChunkFolder implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ChunkFolder.class);
  private static final int BUFFER_BYTES = 4 << 10;

  /** Only the user of Lazuli may read the content of blobs. */
  private static final FsPermission FILE = new FsPermission((short) 0600);

  private static final FsPermission FOLDER = new FsPermission((short) 0700);

  /** Hadoop completes the files that are open, which takes minutes if data nodes hang. */
  private static final Duration CLOSE_MAX = Duration.ofSeconds(5);

  private final FileSystem files;

  /** The same files, read without a comparison with the checksums of the file system. */
  private final FileSystem unverified;

  private final Path folder;
  private final short replicas;
  private final long blockBytes;

  ChunkFolder(
      FileSystem files, FileSystem unverified, Path folder, short replicas, long blockBytes) {
    this.files = files;
    this.unverified = unverified;
    this.folder = folder;
    this.replicas = replicas;
    this.blockBytes = blockBytes;
  }

  /**
   * Connects to a folder.
   *
   * @throws EngineOpenException if there is no such file system, or it does not answer
   */
  public static ChunkFolder connect(Configuration site, UserGroupInformation user, URI place) {
    HadoopJava.requireSuitable("a folder of chunks");
    Configuration settings = settings(site);
    try {
      FileSystem files = connect(place, settings, user);
      FileSystem unverified = connect(place, settings, user);
      unverified.setVerifyChecksum(false);
      Path folder = new Path(place);
      FsServerDefaults defaults = files.getServerDefaults(folder);
      return new ChunkFolder(
          files, unverified, folder, defaults.getReplication(), defaults.getBlockSize());
    } catch (IOException | IllegalArgumentException e) {
      // The latter if the name of the name node is not known.
      throw new EngineOpenException("the folder of chunks " + place + " cannot be used: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineOpenException("interrupted while connecting to " + place, e);
    }
  }

  private static FileSystem connect(URI place, Configuration settings, UserGroupInformation user)
      throws IOException, InterruptedException {
    PrivilegedExceptionAction<FileSystem> connect = () -> FileSystem.newInstance(place, settings);
    return user.doAs(connect);
  }

  /**
   * Returns settings with which no call waits for minutes: the defaults of Hadoop are made for
   * batches.
   */
  private static Configuration settings(Configuration site) {
    Configuration settings = new Configuration(site);
    // The engine has a class loader of its own, which the threads of the server do not know.
    settings.setClassLoader(ChunkFolder.class.getClassLoader());
    if (settings.get("fs.hdfs.impl") == null) {
      settings.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
    }
    // The engine closes its files itself.
    settings.setBoolean("fs.automatic.close", false);
    settings.setInt("dfs.client.socket-timeout", 5_000);
    settings.setInt("ipc.client.connect.timeout", 5_000);
    settings.setInt("ipc.client.connect.max.retries.on.timeouts", 2);
    settings.setInt("ipc.client.rpc-timeout.ms", 20_000);
    settings.setInt("dfs.client.retry.window.base", 500);
    // A writer holds 2 MiB that the data nodes have not confirmed, instead of 5.
    settings.setInt("dfs.client.write.max-packets-in-flight", 32);
    // A data node that does not answer delays a read by half a second.
    settings.setInt("dfs.client.hedged.read.threadpool.size", FileThreads.READERS_MAX);
    settings.setInt("dfs.client.hedged.read.threshold.millis", 500);
    return settings;
  }

  /** Returns the folder of one store in this folder. */
  public ChunkFolder of(String store) {
    return new ChunkFolder(files, unverified, new Path(folder, store), replicas, blockBytes);
  }

  public boolean exists() throws IOException {
    return files.exists(folder);
  }

  public void make() throws IOException {
    if (!files.mkdirs(folder, FOLDER)) {
      throw new IOException("the folder " + folder + " cannot be made");
    }
  }

  /** Removes the folder with everything in it. */
  public void remove() throws IOException {
    boolean unused = files.delete(folder, true);
  }

  /**
   * Creates the file of a chunk. When it is closed, its bytes are on all data nodes that hold them.
   *
   * @param onDisk whether they are also on the disks of these data nodes
   */
  public FSDataOutputStream create(ChunkRef ref, boolean onDisk) throws IOException {
    EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE);
    if (onDisk) {
      flags.add(CreateFlag.SYNC_BLOCK);
    }
    return files.create(path(ref), FILE, flags, BUFFER_BYTES, replicas, blockBytes, null);
  }

  /**
   * Opens the file of a chunk.
   *
   * @throws java.io.FileNotFoundException if there is none
   */
  public FSDataInputStream open(ChunkRef ref) throws IOException {
    return files.open(path(ref));
  }

  /** Removes the file of a chunk, if there is one. */
  public void delete(ChunkRef ref) throws IOException {
    boolean unused = files.delete(path(ref), false);
  }

  /**
   * Reads a piece of a chunk and compares it with its checksum. If the file system cannot return
   * it, reads it once more without the file system's own comparison: damage of all replicas looks
   * to its clients as if no data node answered.
   *
   * @param file the file of the chunk
   * @param length the length of the chunk
   * @param checksums the checksums of its pieces
   * @throws StorageException with the kind {@code CORRUPT} if the piece is damaged
   */
  public byte[] read(FSDataInputStream file, ChunkRef ref, long index, long length, Bytes checksums)
      throws IOException {
    long from = index * ChunkCells.CELL_BYTES;
    byte[] piece = new byte[(int) Math.min(ChunkCells.CELL_BYTES, length - from)];
    try {
      file.readFully(from, piece);
    } catch (EOFException e) {
      throw damaged(ref, from, e);
    } catch (FileNotFoundException e) {
      throw e;
    } catch (IOException e) {
      try (FSDataInputStream again = unverified.open(path(ref))) {
        again.readFully(from, piece);
      } catch (IOException second) {
        e.addSuppressed(second);
        throw e;
      }
    }
    if (checksum(piece) != ByteBuffer.wrap(checksums.array()).getInt((int) index * Integer.BYTES)) {
      throw damaged(ref, from, null);
    }
    return piece;
  }

  /** Returns the checksum of a piece. */
  public static int checksum(byte[] piece) {
    CRC32C checksum = new CRC32C();
    checksum.update(piece);
    return (int) checksum.getValue();
  }

  private StorageException damaged(ChunkRef ref, long offset, @Nullable IOException cause) {
    return new StorageException(
        StorageException.Kind.CORRUPT,
        "chunk %016x (%s) does not match its checksum in the block at offset %d"
            .formatted(ref.number(), path(ref), offset),
        cause);
  }

  /** The counter of a chunk begins with bits that spread the files over 4,096 folders. */
  private Path path(ChunkRef ref) {
    String name = HexFormat.of().toHexDigits(ref.number());
    return new Path(folder, name.substring(1, 4) + "/" + name);
  }

  @Override
  public String toString() {
    return folder.toString();
  }

  /**
   * Ends the connection. Hadoop completes the files that are being written, one after another. If
   * that takes too long, returns before its end: nothing is lost, because every complete chunk is
   * closed.
   */
  @Override
  public void close() {
    close(CLOSE_MAX);
  }

  void close(Duration max) {
    Thread closing =
        Threads.daemon(
            () -> {
              close(unverified);
              close(files);
            },
            "lazuli-hbase-files-end");
    closing.start();
    if (!Threads.join(closing, max)) {
      log.warn("{} does not close; unfinished files in it stay open for a while", folder);
    }
  }

  private static void close(FileSystem system) {
    try {
      system.close();
    } catch (IOException e) {
      log.debug("a file system was not closed", e);
    }
  }
}
