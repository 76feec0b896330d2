package io.lazuli.server.blob.protocol;

import io.lazuli.server.access.Access;
import io.lazuli.server.blob.service.BlobAction;
import io.lazuli.server.blob.service.BlobOutcome.ContainerPage;
import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.protocol.RequestDeadline;
import io.lazuli.server.settings.SettingsEndpoint;
import io.lazuli.server.settings.SettingsRoute;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.storage.Deadline;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The endpoint at the blob port of a server without a blob service, because tools look for the
 * server there (decision 0012). It shows an account without containers and refuses everything else;
 * it changes nothing. Called on a worker thread.
 */
public final class BlobSignpost implements Endpoint {
  private static final Set<BlobRoute> SETTINGS =
      EnumSet.of(
          BlobRoute.GET_BLOB_SERVICE_PROPERTIES,
          BlobRoute.GET_BLOB_SERVICE_STATS,
          BlobRoute.READ_UNKNOWN_SETTING);

  private final BlobService service;
  private final SettingsEndpoint settings;

  /**
   * @param service the blob service, which only checks permissions
   * @param settings the settings of the blob service, which are only read
   */
  public BlobSignpost(BlobService service, SettingsService settings) {
    this.service = service;
    this.settings = BlobEndpoint.settings(settings);
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    BlobRequest routed = BlobRequest.of(request);
    BlobRoute route = routed.route();
    request.details().operation(route);
    if (routed.caller().access() instanceof Access.OfAnybody anybody) {
      throw anybody.refusal().exception();
    }
    if (route == BlobRoute.GET_ACCOUNT_INFORMATION) {
      return BlobEndpoint.accountInformation(routed.caller());
    } else if (route == BlobRoute.LIST_CONTAINERS) {
      return noContainers(routed);
    }
    return settings(routed);
  }

  private CompletionStage<Response> settings(BlobRequest routed) {
    BlobRoute route = routed.route();
    if (!SETTINGS.contains(route)) {
      throw CommonErrors.NOT_IMPLEMENTED.exception();
    }
    Deadline deadline = RequestDeadline.of(routed.request());
    if (route == BlobRoute.READ_UNKNOWN_SETTING) {
      return BlobEndpoint.refuseSetting(routed);
    }
    boolean stats = route == BlobRoute.GET_BLOB_SERVICE_STATS;
    return settings.handle(
        stats ? SettingsRoute.READ_STATS : SettingsRoute.READ_PROPERTIES,
        routed.request(),
        "",
        deadline);
  }

  private CompletionStage<Response> noContainers(BlobRequest routed) {
    service.requireAllowed(BlobAction.LIST_CONTAINERS, routed.path().first(), routed.caller());
    OperationDecoder decoder = new OperationDecoder(routed);
    decoder.headers().requireSupported(decoder.request().route(), false);
    decoder.listContainers();
    return CompletableFuture.completedFuture(
        new OutcomeEncoder(routed).encode(new ContainerPage(List.of(), null, false, 0)));
  }
}
