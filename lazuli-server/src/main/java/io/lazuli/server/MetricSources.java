package io.lazuli.server;

import io.lazuli.server.analytics.Analytics;
import io.lazuli.server.audit.AuditLog;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.ByteBudget;
import io.lazuli.server.http.Connections;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.requestlog.RequestLog;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.metrics.MetricVisitor;

/** Shows the numbers of the server's parts as metrics. */
final class MetricSources {
  private MetricSources() {}

  /** Shows that the server runs, and in which state. */
  static void state(
      MetricVisitor visitor, String engine, boolean serving, EngineState state, long troubles) {
    visitor.gauge(
        "lazuli_server",
        "Always 1. The labels describe the server.",
        1,
        "version",
        Version.current(),
        "engine",
        engine);
    visitor.gauge("lazuli_serving", "1 if the server accepts requests.", serving ? 1 : 0);
    visitor.gauge("lazuli_writable", "1 if the store accepts writes.", state.writable() ? 1 : 0);
    visitor.gauge("lazuli_troubles", "The number of troubles that /health reports.", troubles);
  }

  /** Shows the format of the store. */
  static void format(MetricVisitor visitor, StorageEngine engine) {
    visitor.gauge("lazuli_data_format", "The data format of the store.", engine.format());
  }

  static void bodies(MetricVisitor visitor, ByteBudget budget) {
    memory(visitor, "bodies", budget.heldBytes(), budget.bytesMax());
    refusals(visitor, "body_memory", budget.refused());
  }

  static void heads(MetricVisitor visitor, ByteBudget budget) {
    memory(visitor, "heads", budget.heldBytes(), budget.bytesMax());
    refusals(visitor, "head_memory", budget.refused());
  }

  static void answers(MetricVisitor visitor, AnswerBudget budget) {
    memory(visitor, "answers", budget.heldBytes(), budget.bytesMax());
    refusals(visitor, "answer_memory", budget.refused());
  }

  private static void memory(MetricVisitor visitor, String what, long held, long max) {
    visitor.gauge(
        "lazuli_memory_held_bytes", "Bytes of requests and answers in memory.", held, "of", what);
    visitor.gauge(
        "lazuli_memory_limit_bytes", "The bound of lazuli_memory_held_bytes.", max, "of", what);
  }

  static void connections(MetricVisitor visitor, Connections connections) {
    visitor.gauge("lazuli_connections", "Open connections to the services.", connections.open());
    visitor.gauge(
        "lazuli_connections_limit", "The bound of lazuli_connections.", connections.max());
    refusals(visitor, "connections", connections.refused());
  }

  /** Shows the queue of a pool of threads. */
  static void pool(MetricVisitor visitor, String name, WorkerPool pool) {
    visitor.gauge(
        "lazuli_tasks_waiting",
        "Tasks that wait for a thread of the pool.",
        pool.waiting(),
        "pool",
        name);
    refusals(visitor, name + "_queue", pool.refused());
  }

  static void rates(MetricVisitor visitor, String limit, RateTargets<?> rates) {
    refusals(visitor, limit, rates.refused());
  }

  private static void refusals(MetricVisitor visitor, String limit, long refused) {
    visitor.counter(
        "lazuli_limit_refusals",
        "Requests, transactions and connections that a limit of the server refused.",
        refused,
        "limit",
        limit);
  }

  static void requestLog(MetricVisitor visitor, RequestLog log) {
    visitor.counter(
        "lazuli_request_log_lines", "Stored lines of the request log.", log.writtenLines());
    visitor.counter(
        "lazuli_request_log_dropped_lines",
        "Lines of the request log that were lost.",
        log.droppedLines());
  }

  static void audit(MetricVisitor visitor, AuditLog audit) {
    visitor.counter("lazuli_audit_lines", "Written lines of the audit.", audit.writtenLines());
    visitor.counter(
        "lazuli_audit_lost_lines", "Lines of the audit that were lost.", audit.lostLines());
    visitor.counter(
        "lazuli_audit_omitted_lines",
        "Lines about unverified senders that the audit only counted.",
        audit.omittedLines());
  }

  static void analytics(MetricVisitor visitor, Analytics analytics) {
    visitor.counter(
        "lazuli_analytics_dropped_requests",
        "Requests that are missing in the tables of Storage Analytics metrics.",
        analytics.droppedRequests());
  }

  static void blobGarbage(MetricVisitor visitor, int waiting) {
    visitor.gauge(
        "lazuli_blob_garbage_waiting",
        "Blobs and chunks whose replaced content is still to be removed.",
        waiting);
  }
}
