package io.lazuli.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A disk in memory that a test can fill. It outlives the processes that use it. Needs root. */
public final class SmallDisk implements AutoCloseable {
  private static final String NAME = "lazuli-disk-";
  private static final int PIECE = 4 << 10;

  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  static SmallDisk mount(Path folder, int mebibytes) {
    unmountLeftovers();
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String name = NAME + ProcessHandle.current().pid();
    Command.run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", name, folder.toString());
    return new SmallDisk(folder);
  }

  /** Writes until nothing more fits. */
  public void fill() {
    try (OutputStream out = Files.newOutputStream(filling())) {
      byte[] piece = new byte[PIECE];
      while (true) {
        out.write(piece);
      }
    } catch (IOException e) {
      // The disk is full.
    }
  }

  /** Deletes what {@link #fill} has written. */
  public void free() {
    try {
      Files.deleteIfExists(filling());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path filling() {
    return folder.resolve("filling");
  }

  /** Removes the disk, whose users must have ended. */
  @Override
  public void close() {
    Command.run("umount", folder.toString());
  }

  /** Removes the disks of processes that were killed. */
  private static void unmountLeftovers() {
    try (Stream<String> mounts = Files.lines(Path.of("/proc/mounts"))) {
      for (String mount : mounts.filter(line -> line.startsWith(NAME)).toList()) {
        String[] words = mount.split(" ", 3);
        if (ProcessHandle.of(Long.parseLong(words[0].substring(NAME.length()))).isEmpty()) {
          Command.run("umount", words[1]);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
