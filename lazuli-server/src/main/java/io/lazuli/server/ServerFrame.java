package io.lazuli.server;

import io.lazuli.server.audit.AuditLog;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.metrics.ServerMetrics;

/** The configuration of one server, and what its parts register with when they start. */
record ServerFrame(
    ServerConfig config,
    Closers closers,
    ServerHealth health,
    ServerMetrics metrics,
    AuditLog audit) {
  /**
   * Returns the frame of a server that starts.
   *
   * @throws io.lazuli.server.config.ServerStartException if the audit cannot be written
   */
  static ServerFrame of(ServerConfig config) {
    return new ServerFrame(
        config, new Closers(), new ServerHealth(), new ServerMetrics(), ServerAudit.open(config));
  }

  /** Starts a pool of threads, which is closed with the server. */
  WorkerPool pool(String name, int threads, int queueMax) {
    WorkerPool made = new WorkerPool(name, threads, queueMax);
    closers.push(made::close);
    return made;
  }
}
