package io.lazuli.server.http;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ErrorBody;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.throttle.RateTargets;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns whatever goes wrong behind it into an answer (table-rest.md 9.1). What is no {@link
 * ServiceException} is a fault of ours: it is logged, here and nowhere else, and answered with 500.
 */
final class ErrorRendering implements Step {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorRendering.class);
  private static final Set<String> XML_RESOURCES = Set.of("acl", "properties", "stats");
  private static final List<String> LEVELS =
      List.of("nometadata", "minimalmetadata", "fullmetadata");

  private final Clock clock;

  ErrorRendering(Clock clock) {
    this.clock = clock;
  }

  @Override
  public CompletionStage<Response> handle(Request request, Endpoint next) {
    CompletionStage<Response> answer;
    try {
      answer = next.handle(request);
    } catch (Throwable failure) {
      return CompletableFuture.completedFuture(render(request, failure));
    }
    return answer.exceptionally(failure -> render(request, failure));
  }

  private Response render(Request request, Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof ServiceException expected) {
      return render(request, expected);
    }
    LOG.error("request {} failed: {} {}", request.id(), request.method(), request.rawPath(), cause);
    return render(request, CommonErrors.INTERNAL_ERROR.exception());
  }

  private Response render(Request request, ServiceException exception) {
    ServiceError error = exception.error();
    request.details().errorCode(error.code());
    Response.Builder out = Response.of(error.status()).header("x-ms-error-code", error.code());
    String wait = exception.details().get(RateTargets.RETRY_AFTER_SECONDS);
    if (wait != null) {
      out.header("Retry-After", wait);
    }
    if (!wantsJson(request)) {
      byte[] body = ErrorBody.xml(error.code(), exception.text(), request.id(), clock.instant());
      return out.body("application/xml", body).build();
    }
    byte[] body = ErrorBody.json(error.code(), exception.text(), request.id(), clock.instant());
    if (isAboutTheCaller(error)) {
      return out.body("application/json", body).build();
    }
    return out.header("Cache-Control", "no-cache")
        .header("X-Content-Type-Options", "nosniff")
        .body("application/json;odata=" + level(request) + ";streaming=true;charset=utf-8", body)
        .build();
  }

  /** The live service answers these before its OData layer, without the parameters of the type. */
  private static boolean isAboutTheCaller(ServiceError error) {
    return error.status() == 401
        || error.status() == 403
        || error.equals(CommonErrors.INVALID_AUTHENTICATION_INFO);
  }

  private static boolean wantsJson(Request request) {
    String comp = request.query().first("comp");
    if (comp != null && XML_RESOURCES.contains(comp)) {
      return false;
    }
    String format = request.query().first("$format");
    String wanted = format != null ? format : request.header("Accept");
    return wanted == null
        || wanted.isBlank()
        || wanted.contains("json")
        || wanted.contains("*/*")
        || wanted.contains("application/*");
  }

  private static String level(Request request) {
    String level = level(request.query().first("$format"));
    if (level == null) {
      level = level(request.header("Accept"));
    }
    return level == null ? "minimalmetadata" : level;
  }

  private static @Nullable String level(@Nullable String wanted) {
    if (wanted == null) {
      return null;
    }
    String lower = wanted.toLowerCase(Locale.ROOT);
    for (String level : LEVELS) {
      if (lower.contains("odata=" + level)) {
        return level;
      }
    }
    return null;
  }
}
