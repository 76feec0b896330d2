package io.lazuli.server.admin;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.metrics.ExportFormat;
import io.lazuli.server.metrics.ServerMetrics;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code /metrics} on the admin listener: all metrics, in the format of Prometheus or, if the
 * request prefers it, of OpenMetrics.
 */
public final class MetricsEndpoint implements Endpoint {
  public static final String PATH = "/metrics";

  private final ServerMetrics metrics;
  private final WorkerPool workers;

  /**
   * @param workers read the metrics, because an engine may block for a short time
   */
  public MetricsEndpoint(ServerMetrics metrics, WorkerPool workers) {
    this.metrics = metrics;
    this.workers = workers;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    if (!request.method().equals("GET")) {
      throw CommonErrors.METHOD_NOT_ALLOWED.exception();
    }
    ExportFormat format = ExportFormat.of(request.header("Accept"));
    return workers.callBounded(
        () -> CompletableFuture.completedFuture(answer(format)), request.loop());
  }

  private Response answer(ExportFormat format) {
    byte[] body = metrics.text(format).getBytes(StandardCharsets.UTF_8);
    return Response.of(200).body(format.contentType(), body).build();
  }
}
