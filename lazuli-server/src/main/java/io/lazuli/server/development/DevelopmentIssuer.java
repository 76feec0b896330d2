package io.lazuli.server.development;

import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.identity.OwnIssuer;
import io.lazuli.server.pipeline.ErrorForm;
import io.lazuli.server.throttle.RateTargets;
import java.time.Clock;

/** The development identity of one server, once its address is known. */
public record DevelopmentIssuer(DevelopmentAccess access, OwnIssuer issuer, Endpoint endpoint) {
  /** How errors are written. */
  public static final ErrorForm ERRORS = new IdentityErrors();

  /**
   * Publishes what clients need and makes the endpoint.
   *
   * @param url the URL of the port, without a path
   * @param requestsPerSecond the maximum rate of requests for tokens
   * @param bodyBytesMax the maximum bytes of a form
   * @param workers the threads that sign
   */
  public static DevelopmentIssuer of(
      DevelopmentConfig config,
      DevelopmentFiles files,
      String url,
      int requestsPerSecond,
      int bodyBytesMax,
      WorkerPool workers) {
    DevelopmentKeys keys = files.keys();
    String tenant = url + "/" + DevelopmentIdentity.TENANT;
    OwnIssuer issuer =
        new OwnIssuer(tenant + "/v2.0", DevelopmentIdentity.TENANT, keys.published());
    TokenMaker maker = new TokenMaker(issuer.name(), keys.key(), Clock.systemUTC());
    RateTargets<String> rate =
        new RateTargets<>(requestsPerSecond, 1, IdentityErrors.TOO_MANY, System::nanoTime);
    return new DevelopmentIssuer(
        files.publish(url),
        issuer,
        new TokenEndpoint(config, keys, maker, rate, bodyBytesMax, workers));
  }
}
