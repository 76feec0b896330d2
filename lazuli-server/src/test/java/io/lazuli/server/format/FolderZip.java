package io.lazuli.server.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Packs a data folder into a zip file, and unpacks it. */
final class FolderZip {
  private FolderZip() {}

  static void pack(Path folder, Path zip) throws IOException {
    try (Stream<Path> found = Files.walk(folder);
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      out.setLevel(9);
      List<Path> files = found.filter(Files::isRegularFile).sorted().toList();
      for (Path file : files) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        if (!isOfTheMachine(name)) {
          out.putNextEntry(new ZipEntry(name));
          Files.copy(file, out);
          out.closeEntry();
        }
      }
    }
  }

  static void unpack(Path zip, Path folder) throws IOException {
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = folder.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(in, file);
      }
    }
  }

  /**
   * Returns whether a file belongs to the machine: locks, native code, and the files in which
   * RocksDB records paths and its own progress.
   */
  private static boolean isOfTheMachine(String name) {
    return name.endsWith("LOCK")
        || name.startsWith("native/")
        || name.startsWith("rocksdb/LOG")
        || name.startsWith("rocksdb/OPTIONS");
  }
}
