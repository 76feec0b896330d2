package io.lazuli.server;

import io.lazuli.server.access.Access;
import io.lazuli.server.account.Account;
import io.lazuli.server.auth.Authenticator;
import io.lazuli.server.auth.Bearer;
import io.lazuli.server.auth.PolicyLookup;
import io.lazuli.server.auth.SharedAccessSignature;
import io.lazuli.server.blob.protocol.InnerRequests;
import io.lazuli.server.blob.protocol.WebsiteEndpoint;
import io.lazuli.server.config.Limits;
import io.lazuli.server.config.ListenAddress;
import io.lazuli.server.config.ListenersConfig;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.event.RequestCounters;
import io.lazuli.server.event.RequestDebugLog;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.event.ServerEvents;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.pipeline.Addressing;
import io.lazuli.server.pipeline.AllowedHosts;
import io.lazuli.server.pipeline.CommonHeaders;
import io.lazuli.server.pipeline.ErrorForm;
import io.lazuli.server.pipeline.ErrorRendering;
import io.lazuli.server.pipeline.OwnerSettings;
import io.lazuli.server.pipeline.RehearsedTrouble;
import io.lazuli.server.pipeline.RequestPipeline;
import io.lazuli.server.rehearsal.Dice;
import io.lazuli.server.requestlog.AccessLines;
import io.lazuli.server.settings.AccessPolicies;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.storage.Deadline;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Creates the pipeline of each service of a server. */
final class ServicePipelines {
  private final ServerParts parts;
  private final RequestCounters counters;
  private final RateTargets<String> accountRates;
  private final Clock clock = Clock.systemUTC();

  ServicePipelines(ServerParts parts, RequestCounters counters) {
    this.parts = parts;
    this.counters = counters;
    this.accountRates =
        new RateTargets<>(
            parts.config().rates().account(),
            Limits.WATCHED_ACCOUNTS_MAX,
            CommonErrors.ACCOUNT_BUSY,
            System::nanoTime);
    parts.metrics().add(to -> MetricSources.rates(to, "account_rate", accountRates));
  }

  RequestPipeline of(StorageService service, Endpoint endpoint) {
    Addressing addressing = addressing(service);
    Dice dice = parts.dice();
    return RequestPipeline.ofService(
        new RequestPipeline.Parts(
            serverName(service),
            clock,
            new ServerEvents(listeners(service.label())),
            service.operations(),
            service.errors(),
            challenge(),
            allowedHosts(service),
            publicKeys(service),
            new OwnerSettings(
                addressing,
                parts.accounts()::isPresent,
                service.home(),
                parts.properties(),
                parts.workers(),
                Limits.REQUEST_TIME_MAX),
            addressing,
            authenticator(service),
            accountRates,
            dice == null ? null : new RehearsedTrouble(dice, service.operations()),
            service.body(),
            Limits.CLIENT_REQUEST_ID_CHARS_MAX,
            parts.workers(),
            mayWait(service)),
        endpoint);
  }

  private String challenge() {
    Bearer bearer = parts.bearer();
    return bearer == null ? ErrorRendering.BARE_CHALLENGE : bearer.challenge();
  }

  /**
   * Returns false if no request of a service waits on its thread: those to a remote engine do not.
   * Blobs stay on workers, because their requests can take long to decode.
   */
  private boolean mayWait(StorageService service) {
    return !parts.engine().isShared() || service.equals(StorageService.BLOB);
  }

  /**
   * Returns the pipeline of static websites.
   *
   * @param address where they are served
   */
  RequestPipeline ofWebsites(ListenAddress address, Endpoint endpoint) {
    boolean inHosts = parts.config().protocol().hostStyle();
    return RequestPipeline.ofWebsites(
        "Lazuli-Web/" + Version.current(),
        clock,
        new ServerEvents(
            List.of(
                counters,
                new RequestDebugLog(),
                new AccessLines(clock),
                parts.metrics().requests("web"))),
        WebsiteEndpoint::operation,
        ErrorForm.XML,
        allowedHosts(address, parts.config()),
        new Addressing(inHosts ? "web" : null, parts.accounts()::exists),
        this::requireEnabled,
        accountRates,
        Limits.CLIENT_REQUEST_ID_CHARS_MAX,
        parts.workers(),
        endpoint);
  }

  private CompletionStage<Response> requireEnabled(Request request, Endpoint next) {
    Account account = parts.accounts().find(request.address().account());
    if (account == null || !account.isEnabled()) {
      throw CommonErrors.RESOURCE_NOT_FOUND.exception();
    }
    return next.handle(request);
  }

  private List<RequestListener> listeners(String service) {
    List<RequestListener> listeners = new ArrayList<>();
    listeners.add(counters);
    listeners.add(new RequestDebugLog());
    listeners.add(new AccessLines(clock));
    listeners.add(parts.requestLog().of(service));
    listeners.add(parts.analytics().of(service));
    listeners.add(parts.metrics().requests(service));
    listeners.add(parts.load().of(service));
    listeners.add(parts.live().of(service));
    if (parts.audit().isOn()) {
      listeners.add(parts.audit().of(service));
    }
    if (parts.traces() != null) {
      listeners.add(parts.traces().of(service));
    }
    return listeners;
  }

  /**
   * Returns the part that addresses and authenticates requests inside requests to the blob service:
   * the parts of a batch and the sources of copies.
   */
  InnerRequests innerRequests() {
    StorageService blob = StorageService.BLOB;
    return new InnerRequests(
        addressing(blob),
        authenticator(blob),
        new CommonHeaders(serverName(blob), clock, Limits.CLIENT_REQUEST_ID_CHARS_MAX),
        parts.ports());
  }

  private AllowedHosts allowedHosts(StorageService service) {
    ListenAddress address = parts.config().listeners().of(service.name());
    return allowedHosts(address, parts.config());
  }

  static AllowedHosts allowedHosts(ListenAddress address, ServerConfig config) {
    ListenersConfig listeners = config.listeners();
    return AllowedHosts.of(
        address.host(), address.isLoopback(), listeners.allowedHosts(), listeners.domain());
  }

  /** Returns whether web pages can sign for an account of the service and reach it. */
  private Predicate<String> publicKeys(StorageService service) {
    boolean isLoopback = parts.config().listeners().of(service.name()).isLoopback();
    return name -> {
      Account account = isLoopback ? parts.accounts().find(name) : null;
      return account != null && account.hasPublicKey();
    };
  }

  private static String serverName(StorageService service) {
    return "Lazuli-" + service.title() + "/" + Version.current();
  }

  /** Gives a request to a service, by its label, the address that is found in it. */
  Request addressed(String service, Request request) {
    StorageService named =
        StorageService.ALL.stream()
            .filter(one -> one.label().equals(service))
            .findFirst()
            .orElseThrow();
    return request.withAddress(addressing(named).find(request));
  }

  /**
   * Returns the access that the credentials of a request grant, by the service's own rules. Nothing
   * is carried out.
   */
  CompletionStage<Access> access(String service, Request request) {
    StorageService named =
        StorageService.ALL.stream()
            .filter(one -> one.label().equals(service))
            .findFirst()
            .orElseThrow();
    AtomicReference<@Nullable Access> found = new AtomicReference<>();
    return authenticator(named)
        .handle(
            addressed(service, request),
            accepted -> {
              found.set(accepted.caller().access());
              return CompletableFuture.completedFuture(Response.of(200).build());
            })
        .thenApply(answer -> Objects.requireNonNull(found.get()));
  }

  private Addressing addressing(StorageService service) {
    ListenersConfig listeners = parts.config().listeners();
    if (listeners.onePort() != null) {
      return Addressing.inHosts(service.label(), listeners.domain(), parts.accounts()::exists);
    }
    return new Addressing(
        parts.config().protocol().hostStyle() ? service.label() : null, parts.accounts()::exists);
  }

  private SharedAccessSignature signatures(StorageService service, PolicyLookup lookup) {
    SharedAccessSignature keyed = service.sharedAccess().of(lookup, parts.workers(), clock);
    Bearer bearer = parts.bearer();
    return bearer == null ? keyed : keyed.withDelegation(parts.delegationKeys(), bearer.roles());
  }

  private Authenticator authenticator(StorageService service) {
    AccessPolicies policies = new AccessPolicies(parts.catalog());
    PolicyLookup lookup =
        (owner, resource, id) ->
            policies.find(
                service.home().apply(owner), resource, id, Deadline.after(Limits.REQUEST_TIME_MAX));
    return new Authenticator(
        parts.accounts(),
        service.sharedKey().apply(clock, parts.config().protocol().dateWindow()),
        signatures(service, lookup),
        service.anonymous(),
        service.label(),
        parts.bearer());
  }
}
