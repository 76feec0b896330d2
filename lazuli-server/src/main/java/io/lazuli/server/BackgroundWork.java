package io.lazuli.server;

import io.lazuli.server.analytics.Analytics;
import io.lazuli.server.archive.Archiver;
import io.lazuli.server.backup.BackupConfig;
import io.lazuli.server.backup.Backups;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.live.Live;
import io.lazuli.server.load.Load;
import io.lazuli.server.load.rule.Targets;
import io.lazuli.server.metrics.ServerMetrics;
import io.lazuli.server.requestlog.LogSweeper;
import io.lazuli.server.requestlog.RequestLog;
import io.lazuli.server.scrub.Scrub;
import io.lazuli.server.trace.RequestTraces;
import io.lazuli.storage.ChangeLog;
import io.lazuli.storage.work.Pace;
import io.lazuli.storage.work.SharedWalk;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts the work that a server does apart from requests. Each method starts one kind, reports its
 * troubles and metrics, and closes it with the server.
 */
final class BackgroundWork {
  private final ServerConfig config;
  private final Closers closers;
  private final ServerHealth health;
  private final ServerMetrics metrics;
  private final ServerAccounts accounts;
  private final ServerStore store;
  private final Clock clock = Clock.systemUTC();

  BackgroundWork(ServerFrame frame, ServerAccounts accounts, ServerStore store) {
    this.config = frame.config();
    this.closers = frame.closers();
    this.health = frame.health();
    this.metrics = frame.metrics();
    this.accounts = accounts;
    this.store = store;
  }

  private void keep(Runnable closer, Supplier<String> trouble) {
    closers.push(closer);
    health.add(trouble);
  }

  Analytics startAnalytics() {
    Analytics analytics =
        new Analytics(
            store.engine(),
            store.catalog(),
            store.blobs(),
            accounts::names,
            accounts.registry()::isPresent,
            store::properties,
            store.work(),
            clock);
    keep(analytics::close, analytics::trouble);
    metrics.add(to -> MetricSources.analytics(to, analytics));
    analytics.start();
    return analytics;
  }

  /** Starts to write the request log, and to remove what is older than its retention. */
  RequestLog startLogging(Analytics analytics, long bytesMax) {
    RequestLog log =
        new RequestLog(
            store.blobs(), analytics::countLogWrite, clock, Limits.LOG_FLUSH_PERIOD, bytesMax);
    keep(log::close, log::trouble);
    log.start();
    LogSweeper sweeper =
        new LogSweeper(
            store.blobs(),
            accounts::names,
            (account, label) -> store.properties(account, label).logging().retentionDays(),
            store.work(),
            clock);
    keep(sweeper::close, sweeper::trouble);
    sweeper.start();
    return log;
  }

  Load startLoad(QueueStates queueStates, Live live) {
    SharedWalk lead = store.work().walk("load", 1, Pace.every(Duration.ofMinutes(1)));
    Load load =
        new Load(
            store.engine(),
            store.catalog(),
            Targets.of(config.rates().partition(), config.rates().account()),
            queueStates,
            live.shapes()::add,
            () -> lead.isHeld(0),
            clock);
    keep(load::close, load::trouble);
    metrics.add(load::metrics);
    load.start();
    return load;
  }

  /** Starts the scrub, unless the engine keeps nothing on disk or checks itself. */
  @Nullable Scrub startScrub() {
    if (config.store().isInMemory() || store.engine().isShared()) {
      return null;
    }
    Scrub scrub =
        new Scrub(
            store.engine(),
            config.store().folder(),
            config.scrub().interval(),
            config.scrub().bytesPerSecond(),
            clock);
    keep(scrub::close, scrub::trouble);
    metrics.add(scrub::metrics);
    scrub.start();
    return scrub;
  }

  /** Starts the backups, and the archive of changes if there is to be one. */
  Backups startBackups() {
    BackupConfig plan = config.backup();
    String target = plan.target();
    Backups backups =
        new Backups(
            store.engine(),
            Version.current(),
            accounts::fileContent,
            target == null || !plan.isScheduled()
                ? null
                : new Backups.Schedule(
                    order(plan, target), Duration.ofMinutes(plan.minutes()), plan.keep()),
            clock);
    keep(backups::close, backups::trouble);
    backups.start();
    if (plan.archive()) {
      startArchive(backups);
    }
    return backups;
  }

  private void startArchive(Backups backups) {
    BackupConfig plan = config.backup();
    String target = plan.target();
    ChangeLog changes = store.engine().changes();
    if (target == null || changes == null) {
      throw new ServerStartException("backup-archive needs backup-target");
    }
    Backups.Order order = order(plan, target);
    Archiver archiver = new Archiver(changes, target, () -> backups.begin(order));
    keep(archiver::close, archiver::trouble);
    metrics.add(archiver::metrics);
    archiver.start();
  }

  private static Backups.Order order(BackupConfig plan, String target) {
    return new Backups.Order(target, plan.accounts(), (long) plan.rateMib() << 20);
  }

  /** Starts to send traces; null if there is no collector. */
  @Nullable RequestTraces startTracing() {
    URI collector = config.otlpEndpoint();
    if (collector == null) {
      return null;
    }
    RequestTraces traces = new RequestTraces(collector, Version.current(), clock);
    keep(traces::close, traces::trouble);
    metrics.add(traces::metrics);
    return traces;
  }
}
