package io.lazuli.server;

import io.lazuli.server.account.AccountRegistry;
import io.lazuli.server.analytics.Analytics;
import io.lazuli.server.audit.AuditLog;
import io.lazuli.server.auth.Bearer;
import io.lazuli.server.backup.Backups;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.delegation.DelegationKeys;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.live.Live;
import io.lazuli.server.load.Load;
import io.lazuli.server.metrics.ServerMetrics;
import io.lazuli.server.rehearsal.Dice;
import io.lazuli.server.requestlog.RequestLog;
import io.lazuli.server.scrub.Scrub;
import io.lazuli.server.settings.ServicePropertiesStore;
import io.lazuli.server.trace.RequestTraces;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.work.WorkBoard;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts that the services of one server share.
 *
 * @param bearer verifies tokens; null if the server does not accept any
 * @param blobs the blob service; every server has one, because the request log writes through it
 * @param work shares the background work among the servers of the store
 * @param scrub null if the engine has none
 * @param workers the threads that answer requests
 * @param content the threads that transfer the content of blobs
 * @param dice decides which requests fail in a rehearsal; null if none do
 * @param metrics takes sources of metrics
 * @param audit takes lines about changes
 * @param traces sends a span for each request; null if there is no collector
 * @param ports returns the ports on which the server listens
 * @param troubles takes sources of lines for {@code /health}; an empty line means no trouble
 * @param closers takes actions that run when the server is closed, the last one first
 */
record ServerParts(
    ServerConfig config,
    AccountRegistry accounts,
    @Nullable Bearer bearer,
    DelegationKeys delegationKeys,
    StorageEngine engine,
    Catalog catalog,
    ServicePropertiesStore properties,
    BlobService blobs,
    WorkBoard work,
    RequestLog requestLog,
    Analytics analytics,
    Load load,
    QueueStates queueStates,
    Live live,
    Backups backups,
    @Nullable Scrub scrub,
    WorkerPool workers,
    WorkerPool content,
    @Nullable Dice dice,
    ServerMetrics metrics,
    AuditLog audit,
    @Nullable RequestTraces traces,
    Supplier<Set<Integer>> ports,
    Consumer<Supplier<String>> troubles,
    Consumer<Runnable> closers) {}
