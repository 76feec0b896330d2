package io.lazuli.server.pipeline;

import io.lazuli.server.access.CorsRule;
import io.lazuli.server.access.HostName;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Refuses writes that web pages of other machines send to a listener on loopback, for accounts
 * whose key is public. Every page can sign for such an account, and a browser sends some requests
 * without asking the server first. Pages of this machine may write, and so may pages that a CORS
 * rule of the service allows.
 */
final class ForeignOrigins implements Step {
  private static final ServiceError REFUSED =
      new ServiceError(
          "AuthorizationFailure",
          403,
          "The key of this account is public, so web pages of other origins may not write to it."
              + " A CORS rule of the service can allow their origin.");

  private final Predicate<String> hasPublicKey;
  private final RequestEvents events;

  /**
   * @param hasPublicKey whether everybody knows a key of the account
   */
  ForeignOrigins(Predicate<String> hasPublicKey, RequestEvents events) {
    this.hasPublicKey = hasPublicKey;
    this.events = events;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    if (isForeign(request) && hasPublicKey.test(request.address().account()) && writes(request)) {
      requireRule(request);
    }
    return next.handle(request);
  }

  /**
   * Returns whether a page of another machine sends the request. A browser sends no origin with a
   * GET that no script made, for example for an image, but says where the page is.
   */
  private static boolean isForeign(Request request) {
    String origin = request.header("Origin");
    return origin == null
        ? "cross-site".equals(request.header("Sec-Fetch-Site"))
        : !HostName.ofOrigin(origin).isLoopback();
  }

  private boolean writes(Request request) {
    boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
    return !reads || events.operation(request).kind() != OperationKind.READ;
  }

  private static void requireRule(Request request) {
    List<CorsRule> rules = request.corsRules();
    if (rules == null) {
      throw CommonErrors.SERVER_BUSY.exception();
    }
    String origin = request.header("Origin");
    if (Cors.find(rules, origin, request.method()) == null) {
      throw REFUSED.exception();
    }
  }
}
