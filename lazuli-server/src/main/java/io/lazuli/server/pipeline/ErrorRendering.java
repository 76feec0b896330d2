package io.lazuli.server.pipeline;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.MaskedText;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.storage.thread.OutOfMemory;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns every failure of the following steps into an answer. An exception that is not a {@link
 * ServiceException} is a fault of the server: it is logged here, and only here, and answered with
 * 500.
 */
public final class ErrorRendering implements Step {
  private static final Logger LOG = LoggerFactory.getLogger(ErrorRendering.class);

  /** The challenge of a service that accepts no tokens. */
  public static final String BARE_CHALLENGE = "Bearer";

  /** The detail that becomes the header Content-Range. SDKs read a blob's size from it. */
  public static final String CONTENT_RANGE = "contentRange";

  /** The details that become headers, with their names. */
  private static final Map<String, String> HEADERS =
      Map.of(
          RateTargets.RETRY_AFTER_SECONDS,
          "Retry-After",
          CONTENT_RANGE,
          "Content-Range",
          "CopySourceStatusCode",
          "x-ms-copy-source-status-code",
          "CopySourceErrorCode",
          "x-ms-copy-source-error-code");

  private final ErrorForm form;
  private final Clock clock;
  private final String challenge;

  /**
   * @param challenge the challenge that goes with status 401
   */
  ErrorRendering(ErrorForm form, Clock clock, String challenge) {
    this.form = form;
    this.clock = clock;
    this.challenge = challenge;
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
    Throwable cause = Futures.cause(failure);
    if (cause instanceof ServiceException expected) {
      return render(request, expected);
    }
    OutOfMemory.check(cause);
    String path = MaskedText.of(request.rawPath());
    LOG.error("request {} failed: {} {}", request.id(), request.method(), path, cause);
    return render(request, CommonErrors.INTERNAL_ERROR.exception());
  }

  private Response render(Request request, ServiceException exception) {
    ServiceError error = exception.error();
    request.details().errorCode(error.code());
    Response.Builder out = Response.of(error.status()).header("x-ms-error-code", error.code());
    form.writeReason(out, exception);
    exception
        .details()
        .forEach(
            (detail, value) -> {
              String header = HEADERS.get(detail);
              if (header != null) {
                out.header(header, value);
              }
            });
    if (error.status() == 401) {
      // This header tells clients that they could use a token; it is sent even where tokens are not
      // accepted (auth 7).
      out.header("WWW-Authenticate", challenge);
    }
    // An answer with 304 has no body (RFC 9110, 15.4.5). An answer to HEAD has neither the body nor
    // the headers that describe it (blob-rest 3.3).
    if (error.status() != 304 && !request.method().equals("HEAD")) {
      form.writeBody(out, request, exception, clock.instant());
    }
    return out.build();
  }
}
