package io.lazuli.server.admin;

import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.util.concurrent.CompletionStage;

/**
 * The endpoint of the admin listener: {@code /metrics}, {@code /partitions}, and the paths of
 * {@link HealthEndpoint}.
 */
public final class AdminEndpoint implements Endpoint {
  private final HealthEndpoint health;
  private final PartitionsEndpoint partitions;
  private final MetricsEndpoint metrics;

  public AdminEndpoint(
      HealthEndpoint health, PartitionsEndpoint partitions, MetricsEndpoint metrics) {
    this.health = health;
    this.partitions = partitions;
    this.metrics = metrics;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    return switch (request.rawPath()) {
      case PartitionsEndpoint.PATH -> partitions.handle(request);
      case MetricsEndpoint.PATH -> metrics.handle(request);
      default -> health.handle(request);
    };
  }
}
