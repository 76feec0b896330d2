package io.lazuli.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The version of this build. */
public final class Version {
  private static final String CURRENT = read();

  private Version() {}

  public static String current() {
    return CURRENT;
  }

  private static String read() {
    try (InputStream in = Version.class.getResourceAsStream("version.txt")) {
      byte[] bytes = Objects.requireNonNull(in, "version.txt is packed").readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8).trim();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
