package io.lazuli.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds ports that must be known before the listening process starts. No outgoing connection takes
 * such a port in between, because it is outside the range from which the system takes theirs. No
 * other process that uses this class takes it either, until this one ends: each port is locked in a
 * file that all of them share.
 */
public final class FreePort {
  /**
   * Some ports.
   *
   * @param end the first port after them
   */
  record Range(int first, int end) {
    int size() {
      return Math.max(0, end - first);
    }
  }

  /** The ports for outgoing connections on Linux. Other systems take theirs from 49152 on. */
  private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

  private static final Range OF_OTHER_SYSTEMS = new Range(49_152, 65_536);

  /** Below are the ports of well-known services, and of Lazuli itself. */
  private static final Range USUAL = new Range(15_000, 30_000);

  private static final int PORTS_MIN = 500;
  private static final int ATTEMPTS_MAX = 200;
  private static final Path LOCKS =
      Path.of(
          System.getProperty("java.io.tmpdir"), "lazuli-ports-" + System.getProperty("user.name"));

  /** The locks, and the file, which stays open: closing it would release all of them. */
  private static final List<FileLock> TAKEN = new ArrayList<>();

  private static @Nullable FileChannel locks;

  private FreePort() {}

  static synchronized int find() {
    Range range = outside(ephemeral());
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      int port = range.first + ThreadLocalRandom.current().nextInt(range.size());
      if (take(port)) {
        return port;
      }
    }
    throw new ClusterException("no free port was found on loopback", null);
  }

  /**
   * Returns a warning if outgoing connections may take one of these ports; empty if they cannot.
   *
   * @param end the first port after them
   */
  public static String warning(int first, int end) {
    Range outgoing = ephemeral();
    return first < outgoing.end && outgoing.first < end
        ? ("an outgoing connection may take one of the ports %d to %d before a server starts: this"
                + " system takes the ports of outgoing connections from %d to %d")
            .formatted(first, end - 1, outgoing.first, outgoing.end - 1)
        : "";
  }

  private static Range ephemeral() {
    // This kernel file gives its whole text to the first read only, which must be large enough.
    try (BufferedReader file = Files.newBufferedReader(EPHEMERAL)) {
      return parse(String.valueOf(file.readLine()));
    } catch (IOException e) {
      return OF_OTHER_SYSTEMS;
    }
  }

  /** Parses the first and last port of the range, with white space between them. */
  static Range parse(String text) {
    String[] words = text.strip().split("\\s+", -1);
    return new Range(Integer.parseInt(words[0]), Integer.parseInt(words[1]) + 1);
  }

  /** Returns ports that no outgoing connection takes; the usual ones if there are too few. */
  static Range outside(Range outgoing) {
    Range below = new Range(USUAL.first, Math.min(USUAL.end, outgoing.first));
    Range above = new Range(Math.max(USUAL.first, outgoing.end), 65_536);
    Range larger = below.size() >= Math.min(above.size(), USUAL.size()) ? below : above;
    return larger.size() < PORTS_MIN ? USUAL : larger;
  }

  private static boolean take(int port) {
    try {
      FileLock lock = locks().tryLock(port, 1, false);
      if (lock == null) {
        return false;
      }
      if (isFree(port)) {
        TAKEN.add(lock);
        return true;
      }
      lock.release();
      return false;
    } catch (OverlappingFileLockException e) {
      // This process has the port.
      return false;
    } catch (IOException e) {
      throw new ClusterException("cannot lock a port in " + LOCKS, e);
    }
  }

  private static FileChannel locks() throws IOException {
    FileChannel open = locks;
    if (open == null) {
      open = FileChannel.open(LOCKS, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      locks = open;
    }
    return open;
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
