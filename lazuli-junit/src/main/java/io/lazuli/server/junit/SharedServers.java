package io.lazuli.server.junit;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The servers that run until the JVM ends. Extensions with the same options share one. All methods
 * may be called by any thread.
 */
final class SharedServers {
  private static final Map<Options, TestServer> RUNNING = new ConcurrentHashMap<>();
  private static final Duration STOP_TIME_MAX = Duration.ofSeconds(10);

  private SharedServers() {}

  /** Returns the server with these options. The first call starts it. */
  static TestServer get(Options options) {
    return RUNNING.computeIfAbsent(options, SharedServers::start);
  }

  private static TestServer start(Options options) {
    TestServer server = TestServer.start(options);
    closeAtTheEnd(server, options.storage());
    return server;
  }

  /**
   * Closes a server when the JVM ends. Spring closes its contexts at the same time, and their beans
   * may still send requests. Therefore a server in memory, which leaves nothing, is not closed at
   * all, and any other server waits a moment for its clients.
   */
  static void closeAtTheEnd(TestServer server, Storage storage) {
    if (!storage.isInMemory()) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "lazuli-stop"));
    }
  }

  private static void stop(TestServer server) {
    server.server().stop(STOP_TIME_MAX);
    server.close();
  }
}
