package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Sends many numbered requests over a few connections and requires that all succeed. */
final class Requests {

  private static final int CONNECTIONS = 8;
  private static final int WINDOW = 16;
  private static final Duration TIME_MAX = Duration.ofMinutes(10);

  /** Creating what exists already is fine: attacks share what they find. */
  private static final Set<Integer> SUCCESSES = Set.of(200, 201, 202, 204, 409);

  private Requests() {}

  static void send(Target target, StorageService service, int count, IntFunction<byte[]> request)
      throws IOException {
    send(target, service, count, WINDOW, request);
  }

  /** Sends requests of which each connection has at most {@code window} in flight. */
  static void send(
      Target target, StorageService service, int count, int window, IntFunction<byte[]> request)
      throws IOException {
    Iterator<byte[]> all = IntStream.range(0, count).mapToObj(request).iterator();
    try (Attackers clients = new Attackers(target, 1)) {
      clients.add(CONNECTIONS, () -> Attacker.sendsAll(service, all).withWindow(window));
      clients.finish(TIME_MAX);
      Map<Integer, Long> statuses = clients.statuses();
      long succeeded = SUCCESSES.stream().mapToLong(s -> statuses.getOrDefault(s, 0L)).sum();
      if (succeeded != count) {
        throw new IOException(succeeded + " of " + count + " requests succeeded: " + statuses);
      }
    }
  }
}
