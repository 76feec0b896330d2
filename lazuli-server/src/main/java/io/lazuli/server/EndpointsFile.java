package io.lazuli.server;

import io.lazuli.server.config.ServiceName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code endpoints} in the data folder: the addresses at which a running server serves the
 * folder, for commands that print connection strings. The server locks the file while it runs. A
 * file without a lock is left over from a killed server and says nothing.
 */
public final class EndpointsFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EndpointsFile.class);

  private static final String NAME = "endpoints";

  /** The locked byte is after the content, because on Windows nobody can read locked bytes. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private final Path file;
  private final FileChannel channel;

  private EndpointsFile(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Writes the file and locks it. Returns null if that is impossible, because another server has
   * the file or the disk is full: the server works without it.
   */
  static @Nullable EndpointsFile write(Path folder, Map<ServiceName, ServiceAddress> addresses) {
    Path file = folder.resolve(NAME);
    StringBuilder text = new StringBuilder();
    addresses.forEach(
        (service, at) ->
            text.append(service.label())
                .append(' ')
                .append(String.join(" ", at.scheme(), at.host(), "" + at.port(), at.domain()))
                .append('\n'));
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isFree(channel)) {
        channel.close();
        return null;
      }
      channel.truncate(0).write(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
      return new EndpointsFile(file, channel);
    } catch (IOException e) {
      LOG.info("{} was not written: {}", file, e.getMessage());
      return null;
    }
  }

  /** Locks the file. Returns false if another server has locked it, in this process or another. */
  private static boolean isFree(FileChannel channel) throws IOException {
    try {
      @Nullable FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false);
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** Returns the addresses of the server that serves a folder now; empty if no server does. */
  public static Map<ServiceName, ServiceAddress> read(Path folder) {
    Path file = folder.resolve(NAME);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return isFree(channel) ? Map.of() : parse(Files.readAllLines(file));
    } catch (IOException e) {
      return Map.of();
    }
  }

  private static Map<ServiceName, ServiceAddress> parse(List<String> lines) {
    Map<ServiceName, ServiceAddress> addresses = new EnumMap<>(ServiceName.class);
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      for (ServiceName service : ServiceName.values()) {
        if (service.label().equals(words[0])) {
          addresses.put(
              service,
              new ServiceAddress(
                  words[1],
                  words[2],
                  Integer.parseInt(words[3]),
                  words.length > 4 ? words[4] : ""));
        }
      }
    }
    return addresses;
  }

  /** Deletes the file. */
  @Override
  public void close() {
    try {
      channel.close();
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.debug("{} stays", file, e);
    }
  }
}
