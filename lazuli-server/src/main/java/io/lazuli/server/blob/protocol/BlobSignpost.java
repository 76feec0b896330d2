package io.lazuli.server.blob.protocol;

import io.lazuli.server.access.Access;
import io.lazuli.server.blob.service.BlobAction;
import io.lazuli.server.blob.service.BlobOperation;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.CutPath;
import io.lazuli.server.protocol.QueryParameters;
import io.lazuli.server.protocol.RequestDeadline;
import io.lazuli.server.settings.SettingsEndpoint;
import io.lazuli.server.settings.SettingsService;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Stands at the blob port of a server that has no blob service, because tools look there for the
 * server (decision 0012). It answers what tells that an account is there, with no containers, and
 * refuses the rest; it changes nothing. Called on a worker.
 */
public final class BlobSignpost implements Endpoint {
  private final BlobService service;
  private final SettingsEndpoint settings;

  /**
   * @param service asked for permissions only
   * @param settings of the blob service, which are only read
   */
  public BlobSignpost(BlobService service, SettingsService settings) {
    this.service = service;
    this.settings = BlobEndpoint.settings(settings);
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    CutPath path = BlobEndpoint.path(request);
    QueryParameters parameters = new QueryParameters(request.query());
    BlobRoute route = BlobRoute.of(request, path, parameters);
    request.details().operation(route.operation(request));
    if (request.caller().access() instanceof Access.OfAnybody anybody) {
      throw anybody.refusal().exception();
    }
    boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
    if (route == BlobRoute.ACCOUNT_INFORMATION) {
      return BlobEndpoint.accountInformation(request);
    } else if (route == BlobRoute.LIST_CONTAINERS) {
      return noContainers(request, path);
    } else if (route == BlobRoute.SERVICE_SETTINGS && reads) {
      return settings.onService(request, "GET", parameters, RequestDeadline.of(request));
    }
    throw CommonErrors.NOT_IMPLEMENTED.exception();
  }

  private CompletionStage<Response> noContainers(Request request, CutPath path) {
    BlobRoute route = BlobRoute.LIST_CONTAINERS;
    service.requireAllowed(BlobAction.LIST_CONTAINERS, path.first(), request.caller());
    OperationDecoder decoder = new OperationDecoder(request, path);
    decoder.headers().requireSupported();
    BlobOperation operation = decoder.decode(route);
    return CompletableFuture.completedFuture(
        new OutcomeEncoder(route, request)
            .encode(operation, new ContainerPage(List.of(), null, 0)));
  }
}
