package io.lazuli.server.backup;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Finds the target that a text names. */
public final class Targets {
  private Targets() {}

  /**
   * Returns a target that is not locked.
   *
   * @param text a folder; the URL of a container with a shared access signature; or a connection
   *     string with {@code ;Container=NAME}
   * @throws BackupException if the text does not name a target
   */
  public static BackupTarget of(String text) {
    if (text.isEmpty()) {
      throw new BackupException("no target is named");
    }
    if (isUrl(text)) {
      return new ContainerTarget(BlobHttp.ofUrl(text));
    }
    if (isConnectionString(text)) {
      return new ContainerTarget(BlobHttp.ofConnectionString(text));
    }
    try {
      return new FolderTarget(Path.of(text));
    } catch (InvalidPathException e) {
      throw new BackupException(text + " is not the name of a folder", e);
    }
  }

  private static boolean isUrl(String text) {
    return text.startsWith("http://") || text.startsWith("https://");
  }

  private static boolean isConnectionString(String text) {
    return text.contains("AccountName=") && text.contains(";");
  }

  /** Returns the text for a process that runs in another folder. */
  public static String absolute(String text) {
    try {
      return isUrl(text) || isConnectionString(text)
          ? text
          : Path.of(text).toAbsolutePath().normalize().toString();
    } catch (InvalidPathException e) {
      throw new BackupException(text + " is not the name of a folder", e);
    }
  }
}
