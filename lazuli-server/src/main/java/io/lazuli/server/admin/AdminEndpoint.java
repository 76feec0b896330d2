package io.lazuli.server.admin;

import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.util.concurrent.CompletionStage;

/** The endpoint of the admin listener: {@code /health}, {@code /ready} and {@code /partitions}. */
public final class AdminEndpoint implements Endpoint {
  private final HealthEndpoint health;
  private final PartitionsEndpoint partitions;

  public AdminEndpoint(HealthEndpoint health, PartitionsEndpoint partitions) {
    this.health = health;
    this.partitions = partitions;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    return request.rawPath().equals(PartitionsEndpoint.PATH)
        ? partitions.handle(request)
        : health.handle(request);
  }
}
