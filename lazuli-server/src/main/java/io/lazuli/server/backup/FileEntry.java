package io.lazuli.server.backup;

import io.lazuli.storage.StoreCut;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One file of a backup, as a line of its list: {@code SHA-256 LENGTH VERSION NAME}. The version has
 * a star if the file is lasting. Lines are sorted by name.
 *
 * @param name the path in the data folder, with slashes
 */
record FileEntry(String sha256, long length, long version, boolean isLasting, String name) {
  private static final Pattern LINE =
      Pattern.compile("([0-9a-f]{64}) (\\d{1,18}) (-?\\d{1,19})(\\*?) ([A-Za-z0-9._/-]{1,200})");

  static FileEntry of(StoreCut.File file, String sha256) {
    return new FileEntry(sha256, file.length(), file.version(), file.isLasting(), file.name());
  }

  /** Returns whether a file of a later cut of the same store has the same content. */
  boolean isSameAs(StoreCut.File file) {
    return isLasting
        && file.isLasting()
        && name.equals(file.name())
        && length == file.length()
        && version == file.version();
  }

  StoreCut.File file() {
    return new StoreCut.File(name, length, version, isLasting);
  }

  String line() {
    return sha256 + " " + length + " " + version + (isLasting ? "*" : "") + " " + name;
  }

  /**
   * Reads a line. The name becomes a path below a folder, so it must stay there.
   *
   * @throws BackupException if the line is damaged
   */
  static FileEntry parse(String line) {
    Matcher found = LINE.matcher(line);
    if (!found.matches() || found.group(5).contains("..") || found.group(5).startsWith("/")) {
      throw new BackupException("the list of a backup is damaged: " + line);
    }
    return new FileEntry(
        found.group(1),
        Long.parseLong(found.group(2)),
        Long.parseLong(found.group(3)),
        !found.group(4).isEmpty(),
        found.group(5));
  }
}
