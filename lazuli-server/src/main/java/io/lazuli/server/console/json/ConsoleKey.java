package io.lazuli.server.console.json;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The key that signs page tokens. It is a file of the data folder that only its owner can read, so
 * that tokens outlive a restart.
 */
public final class ConsoleKey {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleKey.class);

  private static final String NAME = "console-key";
  private static final int BYTES = 32;

  private ConsoleKey() {}

  /**
   * Reads the key of a data folder, and makes one if there is none. If that is impossible, tokens
   * last as long as the process.
   *
   * @param folder null if the server has none
   */
  public static byte[] of(@Nullable Path folder) {
    byte[] fresh = new byte[BYTES];
    new SecureRandom().nextBytes(fresh);
    if (folder == null || !Files.isDirectory(folder)) {
      return fresh;
    }
    Path file = folder.resolve(NAME);
    try {
      if (!Files.exists(file)) {
        write(file, fresh);
        return fresh;
      }
      byte[] stored = Files.readAllBytes(file);
      return stored.length == BYTES ? stored : fresh;
    } catch (IOException e) {
      LOG.warn("{} cannot be used, so page tokens end with the process: {}", file, e.toString());
      return fresh;
    }
  }

  private static void write(Path file, byte[] key) throws IOException {
    FileAttribute<?>[] ownerOnly =
        file.getFileSystem().supportedFileAttributeViews().contains("posix")
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            ownerOnly)) {
      ByteBuffer bytes = ByteBuffer.wrap(key);
      while (bytes.hasRemaining()) {
        int unused = channel.write(bytes);
      }
    } catch (FileAlreadyExistsException e) {
      LOG.debug("another server has just made {}", file, e);
    }
  }
}
