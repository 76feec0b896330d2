package io.lazuli.storage.rocksdb.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads RocksDB's native code, once per process. By default the library unpacks 17 MB into a new
 * temporary file at every start and removes it only when the process ends normally, so that kills
 * would fill the disk. In the data folder the file has a fixed name, and the folder's lock keeps
 * other processes away.
 */
public final class NativeLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

  private NativeLibrary() {}

  /** Loads the code from this folder, on systems that can replace a file that is in use. */
  public static void load(Path folder) {
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try {
        Files.createDirectories(folder);
        NativeLibraryLoader.getInstance().loadLibrary(folder.toAbsolutePath().toString());
      } catch (IOException | UnsatisfiedLinkError e) {
        LOG.warn("native code cannot be loaded from {}; the temporary folder is used", folder);
      }
    }
    RocksDB.loadLibrary();
  }
}
