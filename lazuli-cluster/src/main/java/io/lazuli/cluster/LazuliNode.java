package io.lazuli.cluster;

import java.net.URI;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A Lazuli server on a cluster; it stops with the cluster. Thread-safe. */
public final class LazuliNode {
  private static final Duration READY_MAX = Duration.ofMinutes(5);
  private static final long PAUSE_MILLIS = 50;
  private static final Pattern READY =
      Pattern.compile("(?m)^(DefaultEndpointsProtocol=\\S+)\\R(?:.*\\R)*?ready; ");

  private final ClusterProcess process;
  private final String host;
  private final LazuliPorts ports;

  LazuliNode(ClusterProcess process, String host, LazuliPorts ports) {
    this.process = process;
    this.host = host;
    this.ports = ports;
  }

  /** Returns the process, to kill, pause and restart it. */
  public ClusterProcess process() {
    return process;
  }

  public URI blobEndpoint() {
    return URI.create("http://" + host + ":" + ports.blob() + "/devstoreaccount1");
  }

  public URI queueEndpoint() {
    return URI.create("http://" + host + ":" + ports.queue() + "/devstoreaccount1");
  }

  public URI tableEndpoint() {
    return URI.create("http://" + host + ":" + ports.table() + "/devstoreaccount1");
  }

  public URI adminEndpoint() {
    return URI.create("http://127.0.0.1:" + ports.admin());
  }

  /**
   * Waits until the server responds, also after a restart, and returns its connection string.
   *
   * @throws ClusterException if the process has ended, or after five minutes
   */
  public String connectionString() {
    long end = System.nanoTime() + READY_MAX.toNanos();
    while (System.nanoTime() < end) {
      boolean alive = process.alive();
      MatchResult ready = process.loggedSinceStart(READY).orElse(null);
      if (ready != null) {
        return ready.group(1);
      }
      if (!alive) {
        throw new ClusterException(
            process.name() + " has ended; its log ends with\n" + process.logTail(), null);
      }
      pause();
    }
    throw new ClusterException(
        process.name() + " is not ready; its log ends with\n" + process.logTail(), null);
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted", e);
    }
  }
}
