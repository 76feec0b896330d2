package io.lazuli.server.pipeline;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.event.RequestSource;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.RequestHandler;
import io.lazuli.server.http.Response;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The services of a port that they share. The second label of the host chooses the service: {@code
 * account.blob.domain}. A request whose host names none goes to the first service, whose {@link
 * Addressing} refuses it.
 */
public final class ServicesByHost implements RequestHandler {
  private final Map<String, RequestHandler> services;
  private final RequestHandler first;

  /**
   * @param services by label, at least one
   */
  public ServicesByHost(Map<String, RequestHandler> services) {
    this.services = new LinkedHashMap<>(services);
    this.first = services.values().iterator().next();
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    return of(request).handle(request);
  }

  @Override
  public CompletionStage<Response> refuse(Request request, ServiceError error) {
    return of(request).refuse(request, error);
  }

  @Override
  public void ended(Request request, int status, Transfer transfer, RequestSource source) {
    of(request).ended(request, status, transfer, source);
  }

  @Override
  public OperationType operationByLine(Request request) {
    return of(request).operationByLine(request);
  }

  private RequestHandler of(Request request) {
    String host = request.header("Host");
    int begin = host == null ? -1 : host.indexOf('.') + 1;
    int end = host == null ? -1 : host.indexOf('.', begin);
    if (host == null || begin == 0 || end < 0) {
      return first;
    }
    String label = host.substring(begin, end).toLowerCase(Locale.ROOT);
    return services.getOrDefault(label, first);
  }
}
