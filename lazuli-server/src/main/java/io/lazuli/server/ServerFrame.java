package io.lazuli.server;

import io.lazuli.server.audit.AuditLog;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.event.ServerEvents;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.metrics.ServerMetrics;
import java.io.IOException;
import java.util.List;

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
    try {
      AuditLog audit = AuditLog.open(config.audit(), System::currentTimeMillis);
      return new ServerFrame(config, new Closers(), new ServerHealth(), new ServerMetrics(), audit);
    } catch (IOException e) {
      throw new ServerStartException("cannot write the audit: " + e.getMessage());
    }
  }

  /** Begins the audit, which ends with the server. */
  void beginAudit() {
    closers.push(
        () -> {
          audit.change("ServerStopped", "", "");
          audit.close();
        });
    health.add(audit::trouble);
    metrics.add(to -> MetricSources.audit(to, audit));
    audit.change("ServerStarted", "", "version " + Version.current());
  }

  /** Returns the events of the admin port. */
  ServerEvents adminEvents() {
    return new ServerEvents(audit.isOn() ? List.of(audit.of("admin")) : List.of());
  }

  /** Starts a pool of threads, which is closed with the server. */
  WorkerPool pool(String name, int threads, int queueMax) {
    WorkerPool made = new WorkerPool(name, threads, queueMax);
    closers.push(made::close);
    return made;
  }
}
