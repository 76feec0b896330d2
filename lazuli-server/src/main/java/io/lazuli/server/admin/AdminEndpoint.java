package io.lazuli.server.admin;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The endpoint of the admin listener: {@code /metrics}, {@code /partitions}, the paths of {@link
 * CommandsEndpoint} and of {@link HealthEndpoint}, and the console, which has all others. Every
 * request passes the guard first.
 */
public final class AdminEndpoint implements Endpoint {
  private final HealthEndpoint health;
  private final PartitionsEndpoint partitions;
  private final MetricsEndpoint metrics;
  private final CommandsEndpoint commands;
  private final RequestGuard guard;
  private final AdminGate gate;
  private final Endpoint console;

  /**
   * @param gate decides who may read metrics, partitions and the details of the health
   * @param console checks its requests with the same guard, because its errors have another form
   */
  public AdminEndpoint(
      HealthEndpoint health,
      PartitionsEndpoint partitions,
      MetricsEndpoint metrics,
      CommandsEndpoint commands,
      RequestGuard guard,
      AdminGate gate,
      Endpoint console) {
    this.health = health;
    this.partitions = partitions;
    this.metrics = metrics;
    this.commands = commands;
    this.guard = guard;
    this.gate = gate;
    this.console = console;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    String path = request.rawPath();
    if (path.startsWith(CommandsEndpoint.PATH_PREFIX)) {
      guard.checkCommand(request);
      return commands.handle(request);
    }
    if (HealthEndpoint.has(path)) {
      guard.checkPublic(request);
      return health.needsReader(request)
          ? isReader(request).thenApply(reader -> health.answer(request, reader))
          : health.handle(request);
    }
    Endpoint known =
        path.equals(PartitionsEndpoint.PATH)
            ? partitions
            : path.equals(MetricsEndpoint.PATH) ? metrics : null;
    if (known == null) {
      return console.handle(request);
    }
    guard.checkPublic(request);
    return isReader(request).thenCompose(reader -> answer(known, request, reader));
  }

  private static CompletionStage<Response> answer(
      Endpoint known, Request request, boolean isReader) {
    if (!isReader) {
      throw CommonErrors.NO_AUTHENTICATION_INFORMATION.exception();
    }
    return known.handle(request);
  }

  private CompletionStage<Boolean> isReader(Request request) {
    return commands.hasToken(request)
        ? CompletableFuture.completedFuture(true)
        : gate.isReader(request);
  }
}
