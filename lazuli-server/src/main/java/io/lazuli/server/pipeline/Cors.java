package io.lazuli.server.pipeline;

import io.lazuli.server.access.CorsRule;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Cross-origin requests from web pages (table-rest 10). It consists of two pipeline steps: {@link
 * #preflight} answers the browser's preflight request without credentials; {@link #headers} adds
 * the headers that tell the browser what the page may see. Neither step blocks an actual request;
 * the browser does that. Only {@link ForeignOrigins} refuses some.
 */
final class Cors {
  private static final ServiceError HEADER_MISSING =
      new ServiceError("InvalidHeaderValue", 400, "A required CORS header is not present.");
  private static final ServiceError PREFLIGHT_FAILURE =
      new ServiceError(
          "CorsPreflightFailure",
          403,
          "CORS not enabled or no matching rule found for this request.");

  private Cors() {}

  /** Answers {@code OPTIONS} and passes all other requests on. */
  static CompletionStage<Response> preflight(Request request, Endpoint next) {
    if (!request.method().equals("OPTIONS")) {
      return next.handle(request);
    }
    String origin = request.header("Origin");
    String method = request.header("Access-Control-Request-Method");
    if (origin == null || method == null) {
      throw HEADER_MISSING.exception();
    }
    List<CorsRule> rules = request.corsRules();
    if (rules == null) {
      throw CommonErrors.SERVER_BUSY.exception();
    }
    return CompletableFuture.completedFuture(allowed(request, rules, origin, method));
  }

  /**
   * Adds the headers that the matching rule grants. Adds nothing if there are no rules or they
   * cannot be read.
   */
  static CompletionStage<Response> headers(Request request, Endpoint next) {
    List<CorsRule> rules = request.corsRules();
    if (rules == null || rules.isEmpty() || request.method().equals("OPTIONS")) {
      return next.handle(request);
    }
    return next.handle(request).thenApply(answer -> marked(request, answer, rules));
  }

  /**
   * Answers a preflight. Only the first rule that matches origin and method is checked for the
   * headers.
   */
  private static Response allowed(
      Request request, List<CorsRule> rules, String origin, String method) {
    CorsRule rule = find(rules, origin, method);
    String wanted = request.header("Access-Control-Request-Headers");
    List<String> names = names(wanted);
    if (rule == null || !names.stream().allMatch(rule::allowsHeader)) {
      throw PREFLIGHT_FAILURE.exception();
    }
    Response.Builder answer =
        Response.of(200)
            .header("Access-Control-Allow-Origin", rule.allowsAnyOrigin() ? "*" : origin)
            .header("Access-Control-Allow-Methods", method);
    if (!names.isEmpty()) {
      answer.header("Access-Control-Allow-Headers", String.join(",", names));
    }
    return answer
        .header("Access-Control-Max-Age", Integer.toString(rule.maxAgeSeconds()))
        .header("Access-Control-Allow-Credentials", "true")
        .build();
  }

  /**
   * Adds CORS headers. A request without an origin matches only a rule for any origin, and only if
   * its answer may be cached.
   */
  private static Response marked(Request request, Response answer, List<CorsRule> rules) {
    boolean cacheable = request.method().equals("GET") || request.method().equals("HEAD");
    String origin = request.header("Origin");
    if (origin == null && !cacheable) {
      return answer;
    }
    CorsRule rule = find(rules, origin, request.method());
    boolean any = rule != null && rule.allowsAnyOrigin();
    Response.Builder out = answer.toBuilder();
    if (cacheable && !any) {
      out.header("Vary", "Origin");
    }
    if (rule != null) {
      out.header("Access-Control-Allow-Origin", any || origin == null ? "*" : origin);
      List<String> exposed = rule.exposed(names(answer));
      if (!exposed.isEmpty()) {
        out.header("Access-Control-Expose-Headers", String.join(",", exposed));
      }
      if (!any) {
        out.header("Access-Control-Allow-Credentials", "true");
      }
    }
    return out.build();
  }

  /** Returns the first rule that allows the origin and the method; null if there is none. */
  static @Nullable CorsRule find(List<CorsRule> rules, @Nullable String origin, String method) {
    for (CorsRule rule : rules) {
      boolean fits = origin == null ? rule.allowsAnyOrigin() : rule.allowsOrigin(origin);
      if (fits && rule.allowsMethod(method)) {
        return rule;
      }
    }
    return null;
  }

  private static List<String> names(@Nullable String list) {
    List<String> names = new ArrayList<>();
    for (String name : list == null ? new String[0] : list.split(",", -1)) {
      String stripped = name.strip();
      if (!stripped.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
        throw PREFLIGHT_FAILURE.exception();
      }
      if (!stripped.isEmpty()) {
        names.add(stripped);
      }
    }
    return names;
  }

  private static List<String> names(Response answer) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < answer.headers().size(); i += 2) {
      names.add(answer.headers().get(i));
    }
    return names;
  }
}
