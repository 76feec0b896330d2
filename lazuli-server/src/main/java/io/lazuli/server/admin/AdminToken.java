package io.lazuli.server.admin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code admin-token} in the data folder: the address of the running server's admin port
 * and the secret that its commands require. Each start makes a new secret. Only the owner of the
 * file can read it, so whoever may read the data may command the server, and nobody else.
 */
public final class AdminToken implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AdminToken.class);

  private static final String NAME = "admin-token";
  private static final String SCHEME = "Bearer ";
  private static final int SECRET_BYTES = 32;
  private static final int FILE_BYTES_MAX = 4 << 10;

  private final String secret;
  private volatile @Nullable Path file;

  private AdminToken(String secret) {
    this.secret = secret;
  }

  /** Returns a new secret. Nobody knows it until {@link #write} is called. */
  public static AdminToken create() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return new AdminToken(HexFormat.of().formatHex(secret));
  }

  /**
   * The content of the file.
   *
   * @param admin the URL of the admin port
   * @param authorization the header {@code Authorization} of a command
   * @param certificate the SHA-256 of the certificate that the port shows; empty for plain http
   */
  public record Written(String admin, String authorization, String certificate) {
    /** Omits the secret. */
    @Override
    public String toString() {
      return "token of " + admin;
    }
  }

  /**
   * Writes the file again for a renewed certificate. Does nothing if the server takes no commands.
   *
   * @param certificate the SHA-256 of the certificate
   */
  public void renew(String admin, String certificate) {
    Path folder = file == null ? null : file.getParent();
    if (folder != null) {
      write(folder, admin, certificate);
    }
  }

  /**
   * Writes the file, and creates the folder, which an engine on other machines does not need. If
   * that is impossible, the server works without commands.
   *
   * @param certificate the SHA-256 of the certificate that the port shows; empty for plain http
   */
  public void write(Path folder, String admin, String certificate) {
    Path written = folder.resolve(NAME);
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder, only(folder, "rwx------"));
      }
      Files.deleteIfExists(written);
      try (FileChannel channel =
          FileChannel.open(
              written,
              Set.of(
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.WRITE,
                  LinkOption.NOFOLLOW_LINKS),
              only(folder, "rw-------"))) {
        channel.write(
            ByteBuffer.wrap(
                (admin + "\n" + secret + "\n" + certificate + "\n")
                    .getBytes(StandardCharsets.UTF_8)));
      }
      file = written;
    } catch (IOException e) {
      LOG.warn("{} was not written, so the server takes no commands: {}", written, e.toString());
    }
  }

  /** Returns rights that only the owner has. */
  private static FileAttribute<?>[] only(Path folder, String rights) {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))
        }
        : new FileAttribute<?>[0];
  }

  /**
   * Returns the content of the file in a data folder; null if there is none. A killed server leaves
   * its file, so an answer does not mean that a server runs.
   */
  public static @Nullable Written read(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file) || Files.size(file) > FILE_BYTES_MAX) {
      return null;
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    if (lines.size() < 2 || lines.size() > 3) {
      return null;
    }
    String certificate = lines.size() == 3 ? lines.get(2) : "";
    return new Written(lines.get(0), SCHEME + lines.get(1), certificate);
  }

  /** Compares a header {@code Authorization}, in a time that does not depend on its content. */
  boolean isIn(@Nullable String authorization) {
    return authorization != null
        && MessageDigest.isEqual(
            authorization.getBytes(StandardCharsets.UTF_8),
            (SCHEME + secret).getBytes(StandardCharsets.UTF_8));
  }

  /** Deletes the file, unless another server has written a new one. */
  @Override
  public void close() {
    Path folder = file == null ? null : file.getParent();
    if (folder == null) {
      return;
    }
    try {
      Written now = read(folder);
      if (now != null && isIn(now.authorization())) {
        Files.deleteIfExists(folder.resolve(NAME));
      }
    } catch (IOException e) {
      LOG.debug("{} stays", file, e);
    }
  }
}
