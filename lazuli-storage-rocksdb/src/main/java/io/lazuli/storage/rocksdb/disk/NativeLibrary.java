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
 * temporary file at every start and removes it only when the process ends normally, and never on
 * Windows, so that the disk would fill up. In the data folder the file has a fixed name, and the
 * folder's lock keeps other processes away.
 */
public final class NativeLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

  private NativeLibrary() {}

  /**
   * Loads the code from this folder. On Windows a file that is in use cannot be replaced: a process
   * that had the folder before, and still runs, uses it.
   */
  public static void load(Path folder) {
    try {
      Files.createDirectories(folder);
      NativeLibraryLoader.getInstance().loadLibrary(folder.toAbsolutePath().toString());
    } catch (IOException | UnsatisfiedLinkError | RuntimeException e) {
      LOG.warn("native code cannot be loaded from {}; the temporary folder is used", folder);
    }
    RocksDB.loadLibrary();
  }
}
