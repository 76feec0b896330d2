package io.lazuli.client.pattern.outbox;

import com.azure.core.util.BinaryData;
import io.lazuli.client.background.ContainedWork;
import io.lazuli.client.entity.EntityKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Copies each entity of a primary table to a file. A second file, with the suffix {@code .version},
 * contains the version, is locked while the first one is written, and stays when the entity is
 * deleted. Workers on one file system may share a folder. Immutable and thread-safe.
 *
 * <p>The version is written before the file: after a crash in between, no older version is
 * accepted, and the same version is written again.
 */
public final class FileCopy<T> implements Target<T> {
  /** Excludes other threads of this process; a file lock excludes only other processes. */
  private static final Object ONE_AT_A_TIME = new Object();

  private static final int VERSION_BYTES_MAX = 20;

  private final Path folder;
  private final Function<EntityKey, String> name;
  private final Function<T, BinaryData> content;

  private FileCopy(Path folder, Function<EntityKey, String> name, Function<T, BinaryData> content) {
    this.folder = folder;
    this.name = name;
    this.content = content;
  }

  /**
   * Creates copies in an existing folder.
   *
   * @param name returns the name of the file of an entity, which must be unique and valid in the
   *     file system
   * @param content returns the content of the file
   */
  public static <T> FileCopy<T> of(
      Path folder, Function<EntityKey, String> name, Function<T, BinaryData> content) {
    return new FileCopy<>(folder, name, content);
  }

  /** Writes or deletes the file, unless the file has a newer version. Sends no requests. */
  @Override
  public Mono<Void> update(Primary<T> primary) {
    Mono<Void> written =
        Mono.fromCallable(
            () -> {
              synchronized (ONE_AT_A_TIME) {
                write(folder.resolve(name.apply(primary.key())), primary);
              }
              return null;
            });
    return ContainedWork.boundary(
        ContainedWork.of(() -> written).subscribeOn(Schedulers.boundedElastic()));
  }

  private void write(Path file, Primary<T> primary) throws IOException {
    try (FileChannel versions =
            FileChannel.open(
                sibling(file, ".version"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        FileLock lock = versions.lock()) {
      if (lock.isValid() && version(versions) <= primary.version()) {
        note(versions, primary.version());
        replace(file, primary);
      }
    }
  }

  private void replace(Path file, Primary<T> primary) throws IOException {
    if (primary.value().isEmpty()) {
      Files.deleteIfExists(file);
      return;
    }
    Path next = sibling(file, ".next");
    Files.write(next, content.apply(primary.value().get()).toBytes());
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static Path sibling(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  private static long version(FileChannel versions) throws IOException {
    ByteBuffer digits = ByteBuffer.allocate(VERSION_BYTES_MAX);
    int read = versions.read(digits, 0);
    return read < VERSION_BYTES_MAX
        ? 0
        : Long.parseLong(new String(digits.array(), StandardCharsets.US_ASCII));
  }

  private static void note(FileChannel versions, long version) throws IOException {
    byte[] digits = "%020d".formatted(version).getBytes(StandardCharsets.US_ASCII);
    int written = versions.write(ByteBuffer.wrap(digits), 0);
    if (written < digits.length) {
      throw new IOException("the version was written only in part");
    }
    versions.force(false);
  }
}
