package io.lazuli.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The clock of a process, which can be set apart from that of the machine while it runs: a
 * preloaded library answers for the system. The monotonic clock stays right. Needs Linux and a C
 * compiler.
 */
final class WrongClock {
  private static final String SOURCE = "wrongclock.c";

  private final Path library;
  private final Path file;

  private WrongClock(Path library, Path file) {
    this.library = library;
    this.file = file;
  }

  /** Returns why clocks cannot be set on this machine; empty if they can. */
  static String obstacle() {
    try {
      Command.run("cc", "--version");
      return "";
    } catch (ClusterException e) {
      return "wrong clocks need a C compiler: " + e.getMessage();
    }
  }

  /** Compiles the library, which all clocks of a cluster use. */
  static Path library(Path folder) {
    Path source = folder.resolve(SOURCE);
    Path library = folder.resolve("wrongclock.so");
    try (InputStream from = WrongClock.class.getResourceAsStream(SOURCE)) {
      Files.createDirectories(folder);
      Files.copy(Objects.requireNonNull(from), source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Command.run(
        "cc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString(), "-ldl");
    return library;
  }

  /** Creates a clock that is right. */
  static WrongClock of(Path library, String process) {
    WrongClock clock = new WrongClock(library, library.resolveSibling(process));
    clock.set(Duration.ZERO);
    return clock;
  }

  /** Returns the beginning of a command that runs with this clock. */
  List<String> command() {
    return List.of("env", "LD_PRELOAD=" + library, "WRONG_CLOCK=" + file);
  }

  void set(Duration ahead) {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(ahead.toMillis());
    try {
      // The process has mapped this file, so it must not be replaced.
      Files.write(file, bytes.array(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
