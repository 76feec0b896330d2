package io.lazuli.server.admin;

import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.util.concurrent.CompletionStage;

/**
 * The endpoint of the admin listener: {@code /metrics}, {@code /partitions}, the paths of {@link
 * CommandsEndpoint}, and those of {@link HealthEndpoint}.
 */
public final class AdminEndpoint implements Endpoint {
  private final HealthEndpoint health;
  private final PartitionsEndpoint partitions;
  private final MetricsEndpoint metrics;
  private final CommandsEndpoint commands;

  public AdminEndpoint(
      HealthEndpoint health,
      PartitionsEndpoint partitions,
      MetricsEndpoint metrics,
      CommandsEndpoint commands) {
    this.health = health;
    this.partitions = partitions;
    this.metrics = metrics;
    this.commands = commands;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    if (request.rawPath().startsWith(CommandsEndpoint.PATH_PREFIX)) {
      return commands.handle(request);
    }
    return switch (request.rawPath()) {
      case PartitionsEndpoint.PATH -> partitions.handle(request);
      case MetricsEndpoint.PATH -> metrics.handle(request);
      default -> health.handle(request);
    };
  }
}
