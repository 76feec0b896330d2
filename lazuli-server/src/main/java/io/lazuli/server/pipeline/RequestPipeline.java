package io.lazuli.server.pipeline;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent.Transfer;
import io.lazuli.server.event.RequestSource;
import io.lazuli.server.event.ServerEvents;
import io.lazuli.server.event.UnknownOperation;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Query;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.RequestHandler;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.protocol.ApiVersion;
import io.lazuli.server.throttle.RateTargets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request: one list of steps, run in order on the way in and in reverse on the way
 * out. It runs on the request's event loop, except for the steps after {@link OnWorkers}.
 */
public final class RequestPipeline implements RequestHandler {
  private final Endpoint all;
  private final List<Step> framing;
  private final RequestEvents events;

  private RequestPipeline(
      List<Step> framing, List<Step> steps, Endpoint endpoint, RequestEvents events) {
    this.framing = framing;
    this.events = events;
    List<Step> list = new ArrayList<>(framing);
    list.addAll(steps);
    this.all = chain(list, endpoint);
  }

  /**
   * The parts in which the pipelines of services differ.
   *
   * @param serverName the value of the header {@code Server}
   * @param operations finds the operation of an addressed request; throws if there is none
   * @param errors how the service writes errors
   * @param challenge the challenge that goes with status 401
   * @param hosts refuses hosts that the listener does not serve
   * @param hasPublicKey whether web pages of other machines may not write to an account, because
   *     everybody knows its key
   * @param ownerSettings loads the settings of the addressed service
   * @param accountRates the rate target of accounts
   * @param trouble causes trouble on purpose; null for none
   * @param body {@link #wholeBody} or {@link #unreadBody}
   * @param clientRequestIdMax the maximum length of a client's request id; a longer one is not
   *     returned
   * @param workers the threads that run the endpoint
   * @param mayWait false if the endpoint never waits, so that short requests need no worker
   */
  public record Parts(
      String serverName,
      Clock clock,
      ServerEvents events,
      Function<Request, OperationType> operations,
      ErrorForm errors,
      String challenge,
      AllowedHosts hosts,
      Predicate<String> hasPublicKey,
      Step ownerSettings,
      Addressing addressing,
      Step authentication,
      RateTargets<String> accountRates,
      @Nullable Step trouble,
      Step body,
      int clientRequestIdMax,
      WorkerPool workers,
      boolean mayWait) {}

  /**
   * Returns the pipeline of a storage service. A request already has its id when it enters the
   * pipeline. The order of the checks is that of table-rest 14.
   */
  public static RequestPipeline ofService(Parts parts, Endpoint endpoint) {
    RequestEvents events = new RequestEvents(parts.events, parts.addressing, parts.operations);
    List<Step> framing =
        List.of(
            parts.ownerSettings,
            Cors::headers,
            new CommonHeaders(parts.serverName, parts.clock, parts.clientRequestIdMax),
            new ErrorRendering(parts.errors, parts.clock, parts.challenge));
    List<Step> steps =
        new ArrayList<>(
            List.of(
                parts.hosts,
                RequestPipeline::querySyntax,
                Cors::preflight,
                parts.addressing,
                new ForeignOrigins(parts.hasPublicKey, events),
                RequestPipeline::versionSyntax,
                parts.authentication,
                throttling(parts.accountRates),
                readOnlySecondary(events)));
    if (parts.trouble != null) {
      steps.add(parts.trouble);
    }
    steps.add(parts.body);
    steps.add(new OnWorkers(parts.workers, parts.mayWait));
    return new RequestPipeline(framing, steps, endpoint, events);
  }

  /**
   * Returns the pipeline of static websites, which anybody may read. It has no CORS rules and no
   * versions.
   *
   * @param addressing finds the account
   * @param accounts throws unless the account may be used
   */
  public static RequestPipeline ofWebsites(
      String serverName,
      Clock clock,
      ServerEvents events,
      Function<Request, OperationType> operations,
      ErrorForm errors,
      AllowedHosts hosts,
      Addressing addressing,
      Step accounts,
      RateTargets<String> accountRates,
      int clientRequestIdMax,
      WorkerPool workers,
      Endpoint endpoint) {
    List<Step> framing =
        List.of(
            new CommonHeaders(serverName, clock, clientRequestIdMax),
            new ErrorRendering(errors, clock, ErrorRendering.BARE_CHALLENGE));
    List<Step> steps =
        List.of(
            hosts, addressing, accounts, throttling(accountRates), new OnWorkers(workers, true));
    return new RequestPipeline(
        framing, steps, endpoint, new RequestEvents(events, addressing, operations));
  }

  /**
   * Returns a pipeline without accounts, for the admin port. Its endpoint checks hosts and origins.
   */
  public static RequestPipeline ofAdmin(
      String serverName,
      Clock clock,
      ServerEvents events,
      ErrorForm errors,
      int clientRequestIdMax,
      Endpoint endpoint) {
    List<Step> framing =
        List.of(
            new CommonHeaders(serverName, clock, clientRequestIdMax),
            new ErrorRendering(errors, clock, ErrorRendering.BARE_CHALLENGE));
    return new RequestPipeline(
        framing,
        List.of(RequestPipeline::querySyntax),
        endpoint,
        new RequestEvents(events, request -> UnknownOperation.of(request.method())));
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    return all.handle(request);
  }

  @Override
  public CompletionStage<Response> refuse(Request request, ServiceError error) {
    return chain(framing, ignored -> CompletableFuture.failedFuture(error.exception()))
        .handle(request);
  }

  @Override
  public void ended(Request request, int status, Transfer transfer, RequestSource source) {
    events.ended(request, status, transfer, source);
  }

  @Override
  public OperationType operationByLine(Request request) {
    return events.operation(request);
  }

  private static Endpoint chain(List<Step> steps, Endpoint last) {
    Endpoint next = last;
    for (int i = steps.size() - 1; i >= 0; i--) {
      Step step = steps.get(i);
      Endpoint following = next;
      next = request -> step.handle(request, following);
    }
    return next;
  }

  private static CompletionStage<Response> querySyntax(Request request, Endpoint next) {
    if (request.query() == Query.UNREADABLE) {
      throw CommonErrors.INVALID_URI.exception();
    }
    return next.handle(request);
  }

  private static CompletionStage<Response> versionSyntax(Request request, Endpoint next) {
    String version = request.header("x-ms-version");
    if (version != null && !ApiVersion.isWellFormed(version)) {
      throw CommonErrors.INVALID_HEADER_VALUE
          .exception()
          .with("HeaderName", "x-ms-version")
          .with("HeaderValue", version);
    }
    return next.handle(request);
  }

  private static Step throttling(RateTargets<String> accounts) {
    return (request, next) -> {
      accounts.charge(request.address().account(), 1);
      return next.handle(request);
    };
  }

  /**
   * Returns a step that refuses writes at the secondary address. An operation that may also be a
   * write is left to the endpoint.
   */
  private static Step readOnlySecondary(RequestEvents events) {
    return (request, next) -> {
      boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
      if (request.address().secondary() && !reads && !events.operation(request).mayRead()) {
        throw CommonErrors.INSUFFICIENT_ACCOUNT_PERMISSIONS.exception();
      }
      return next.handle(request);
    };
  }

  /** Returns a step that reads the body before the endpoint is called. It refuses a longer body. */
  public static Step wholeBody(int bytesMax) {
    return (request, next) ->
        request
            .content()
            .read(bytesMax)
            .thenCompose(body -> next.handle(body.length == 0 ? request : request.withBody(body)));
  }

  /** Returns a step that leaves the body to the endpoint, which reads it when it needs it. */
  public static Step unreadBody() {
    return (request, next) -> next.handle(request);
  }
}
