package io.lazuli.server.console.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A file with the users of the console: a line {@code name:role:iterations:salt:hash} for each. The
 * hash is PBKDF2 with HMAC-SHA-256. The file is read at every sign-in, so that a change takes
 * effect at once.
 */
public final class Passwords {
  /** The maximum number of users in the file. */
  static final int USERS_MAX = 1_000;

  private static final int FILE_BYTES_MAX = 256 << 10;
  private static final int ITERATIONS = 600_000;
  private static final int ITERATIONS_MAX = 10_000_000;
  private static final int PASSWORD_CHARS_MAX = 1_024;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BITS = 256;

  /** What the file had when it looked like this. */
  private record Seen(String stamp, boolean administrator) {}

  private final @Nullable Path file;
  private volatile @Nullable Seen seen;

  /**
   * @param file null if nobody can sign in with a password
   */
  public Passwords(@Nullable Path file) {
    this.file = file;
  }

  /** A line of the file. */
  private record User(String name, Role role, int iterations, byte[] salt, byte[] hash) {}

  /**
   * Returns whether somebody with the role of an administrator is in the file. Every request beyond
   * loopback asks this, so the file is parsed only when it has changed.
   */
  public boolean haveAdministrator() {
    String stamp = stamp();
    Seen known = seen;
    if (known == null || !known.stamp.equals(stamp)) {
      known = new Seen(stamp, users().stream().anyMatch(user -> user.role == Role.ADMIN));
      seen = known;
    }
    return known.administrator;
  }

  /** Returns a text that changes when the file changes. */
  String stamp() {
    if (file == null) {
      return "none";
    }
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return found.lastModifiedTime() + " " + found.size() + " " + found.fileKey();
    } catch (IOException e) {
      return "missing";
    }
  }

  /**
   * Returns the role of a user; null if the name or the password is wrong. Takes as long for a name
   * that is not there. Blocks for a part of a second.
   */
  public @Nullable Role check(String name, String password) {
    List<User> users = users();
    if (users.isEmpty() || password.length() > PASSWORD_CHARS_MAX) {
      return null;
    }
    User found = users.stream().filter(user -> user.name.equals(name)).findFirst().orElse(null);
    User tried = found == null ? users.get(0) : found;
    boolean right = MessageDigest.isEqual(hash(password, tried.salt, tried.iterations), tried.hash);
    return found != null && right ? found.role : null;
  }

  /** Returns the line of a user. */
  public static String line(String name, Role role, String password) {
    return line(name, role, password, ITERATIONS);
  }

  /** Returns the line of a user with another number of rounds, for tests. */
  public static String line(String name, Role role, String password, int iterations) {
    byte[] salt = new byte[SALT_BYTES];
    new SecureRandom().nextBytes(salt);
    Base64.Encoder base64 = Base64.getEncoder();
    return "%s:%s:%d:%s:%s"
        .formatted(
            name,
            role.text(),
            iterations,
            base64.encodeToString(salt),
            base64.encodeToString(hash(password, salt, iterations)));
  }

  private List<User> users() {
    if (file == null) {
      return List.of();
    }
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        return List.of();
      }
      return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
          .map(Passwords::parse)
          .filter(user -> user != null)
          .limit(USERS_MAX)
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static @Nullable User parse(String line) {
    String[] parts = line.strip().split(":", -1);
    Role role = parts.length == 5 ? Role.find(parts[1]) : null;
    if (role == null || parts[0].isEmpty() || !parts[2].matches("\\d{1,8}")) {
      return null;
    }
    int iterations = Integer.parseInt(parts[2]);
    if (iterations < 1 || iterations > ITERATIONS_MAX) {
      return null;
    }
    try {
      Base64.Decoder base64 = Base64.getDecoder();
      return new User(parts[0], role, iterations, base64.decode(parts[3]), base64.decode(parts[4]));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static byte[] hash(String password, byte[] salt, int iterations) {
    try {
      byte[] any = salt.length == 0 ? new byte[1] : salt;
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
          .generateSecret(new PBEKeySpec(password.toCharArray(), any, iterations, HASH_BITS))
          .getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has PBKDF2", e);
    }
  }
}
