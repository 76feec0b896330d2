package io.lazuli.server.pipeline;

import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.LogSelection;
import io.lazuli.server.event.MetricsSelection;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.settings.ServiceProperties;
import io.lazuli.server.settings.ServicePropertiesStore;
import io.lazuli.storage.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the settings that the owner of the addressed service made for all its requests: the CORS
 * rules, the operations to log and to count, and the version of requests that name none. Cached
 * settings are used on the event loop; otherwise a worker reads them. A request continues without
 * settings if they cannot be read.
 */
public final class OwnerSettings implements Step {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerSettings.class);

  private final Addressing addressing;
  private final Predicate<String> isPresent;
  private final Function<String, ServiceHome> homes;
  private final ServicePropertiesStore properties;
  private final WorkerPool workers;
  private final Duration readTimeMax;

  /**
   * @param isPresent whether an account has settings. The settings of a disabled account count:
   *     without its CORS rules, a page could not read that the account is disabled. Those of a
   *     removed account do not.
   * @param homes the service's home in the catalogue, by account
   */
  public OwnerSettings(
      Addressing addressing,
      Predicate<String> isPresent,
      Function<String, ServiceHome> homes,
      ServicePropertiesStore properties,
      WorkerPool workers,
      Duration readTimeMax) {
    this.addressing = addressing;
    this.isPresent = isPresent;
    this.homes = homes;
    this.properties = properties;
    this.workers = workers;
    this.readTimeMax = readTimeMax;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    String owner = addressing.findAccount(request);
    if (owner == null || !isPresent.test(owner)) {
      return next.handle(request);
    }
    ServiceHome home = homes.apply(owner);
    ServiceProperties cached = properties.cached(home);
    if (cached != null) {
      return next.handle(apply(cached, owner, request));
    }
    Deadline deadline = Deadline.after(readTimeMax);
    return workers
        .call(() -> properties.read(home, deadline), request.loop())
        .handle((read, failure) -> withSettings(request, owner, read, failure))
        .thenCompose(next::handle);
  }

  private static Request withSettings(
      Request request,
      String owner,
      @Nullable ServiceProperties read,
      @Nullable Throwable failure) {
    if (read != null) {
      return apply(read, owner, request);
    }
    if (failure == null || !(Futures.cause(failure) instanceof ServiceException)) {
      LOG.error("the service properties of account {} cannot be read", owner, failure);
    }
    return request.withCorsRules(null);
  }

  private static Request apply(ServiceProperties settings, String owner, Request request) {
    if (settings.defaultVersion() != null) {
      request.details().defaultVersion(settings.defaultVersion());
    }
    ServiceProperties.Logging logging = settings.logging();
    if (logging.isOn()) {
      request
          .details()
          .account(owner)
          .logging(
              new LogSelection(
                  logging.version(), logging.read(), logging.write(), logging.delete()));
    }
    MetricsSelection metrics = settings.metrics();
    if (metrics.isOn()) {
      request.details().account(owner).metrics(metrics);
    }
    return settings.corsRules().isEmpty() ? request : request.withCorsRules(settings.corsRules());
  }
}
