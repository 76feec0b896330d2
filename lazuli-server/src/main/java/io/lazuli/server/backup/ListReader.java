package io.lazuli.server.backup;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * Reads the list of a backup's files, from a local copy that was checked before the first line is
 * used. Belongs to one thread.
 */
final class ListReader implements AutoCloseable {
  private final Path copy;
  private final BufferedReader lines;
  private @Nullable FileEntry next;

  private ListReader(Path copy) throws IOException {
    this.copy = copy;
    this.lines = Files.newBufferedReader(copy, StandardCharsets.UTF_8);
    advance();
  }

  /**
   * Fetches the list of a backup.
   *
   * @throws BackupException if it is damaged
   */
  static ListReader open(BackupTarget target, BackupRecord backup) throws IOException {
    Path copy = fetch(target, backup);
    boolean opened = false;
    try {
      ListReader reader = new ListReader(copy);
      opened = true;
      return reader;
    } finally {
      if (!opened) {
        Files.deleteIfExists(copy);
      }
    }
  }

  private static Path fetch(BackupTarget target, BackupRecord backup) throws IOException {
    MessageDigest digest = Sha256.begin();
    Path copy = Files.createTempFile("lazuli-backup", ".list");
    try (InputStream in = new DigestInputStream(target.open(backup.list()), digest);
        OutputStream out = Files.newOutputStream(copy)) {
      in.transferTo(out);
    } catch (IOException e) {
      Files.deleteIfExists(copy);
      throw e;
    }
    if (!Sha256.name(digest).equals(backup.list())) {
      Files.deleteIfExists(copy);
      throw new BackupException("the list of backup " + backup.id() + " is damaged");
    }
    return copy;
  }

  /** Returns the next entry and moves on; null at the end. */
  @Nullable FileEntry next() throws IOException {
    FileEntry current = next;
    advance();
    return current;
  }

  /**
   * Returns the entry of a name; null if there is none. The names of successive calls must be
   * sorted.
   */
  @Nullable FileEntry find(String name) throws IOException {
    while (next != null && next.name().compareTo(name) < 0) {
      advance();
    }
    return next != null && next.name().equals(name) ? next : null;
  }

  private void advance() throws IOException {
    String line = lines.readLine();
    next = line == null ? null : FileEntry.parse(line);
  }

  @Override
  public void close() throws IOException {
    lines.close();
    Files.deleteIfExists(copy);
  }
}
