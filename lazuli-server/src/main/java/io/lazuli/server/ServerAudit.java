package io.lazuli.server;

import io.lazuli.server.audit.AuditLog;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.event.ServerEvents;
import java.io.IOException;
import java.util.List;

/** Opens the audit of a server. A server that cannot write it does not start. */
final class ServerAudit {
  private ServerAudit() {}

  /**
   * Opens the audit, which has no file unless one is configured.
   *
   * @throws ServerStartException if the file cannot be written
   */
  static AuditLog open(ServerConfig config) {
    try {
      return AuditLog.open(config.audit(), System::currentTimeMillis);
    } catch (IOException e) {
      throw new ServerStartException("cannot write the audit: " + e.getMessage());
    }
  }

  /** Begins to write, and ends with the server. */
  static void begin(ServerFrame frame) {
    AuditLog audit = frame.audit();
    frame
        .closers()
        .push(
            () -> {
              audit.change("ServerStopped", "", "");
              audit.close();
            });
    frame.health().add(audit::trouble);
    frame.metrics().add(to -> MetricSources.audit(to, audit));
    audit.change("ServerStarted", "", "version " + Version.current());
  }

  /** Returns the events of the admin port. */
  static ServerEvents admin(AuditLog audit) {
    return new ServerEvents(audit.isOn() ? List.of(audit.of("admin")) : List.of());
  }
}
