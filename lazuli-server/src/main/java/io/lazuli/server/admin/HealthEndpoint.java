package io.lazuli.server.admin;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.EngineState;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers {@code /health} and {@code /ready} on the admin listener. {@code /health} reports whether
 * the store accepts writes, and problems that do not prevent them, including a rehearsal. {@code
 * /ready} reports whether requests are served.
 */
public final class HealthEndpoint implements Endpoint {
  private final Supplier<EngineState> engineState;
  private final BooleanSupplier serving;
  private final LongSupplier droppedLogLines;
  private final Rehearsal rehearsal;

  /**
   * @param droppedLogLines returns the number of dropped log lines since the start, which is
   *     reported if it is not zero
   * @param rehearsal the rehearsal, which is reported if it is on
   */
  public HealthEndpoint(
      Supplier<EngineState> engineState,
      BooleanSupplier serving,
      LongSupplier droppedLogLines,
      Rehearsal rehearsal) {
    this.engineState = engineState;
    this.serving = serving;
    this.droppedLogLines = droppedLogLines;
    this.rehearsal = rehearsal;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    return CompletableFuture.completedFuture(answer(request));
  }

  private Response answer(Request request) {
    boolean known = request.rawPath().equals("/health") || request.rawPath().equals("/ready");
    if (!known) {
      throw CommonErrors.RESOURCE_NOT_FOUND.exception();
    }
    if (!request.method().equals("GET")) {
      throw CommonErrors.METHOD_NOT_ALLOWED.exception();
    }
    return request.rawPath().equals("/health") ? health() : ready();
  }

  private Response health() {
    EngineState state = engineState.get();
    if (!state.writable()) {
      return json(503, status("not writable", state.detail()));
    }
    return state.fault().isEmpty()
        ? json(200, status("ok", state.detail()))
        : json(200, status("degraded", state.fault()));
  }

  private Response ready() {
    return serving.getAsBoolean()
        ? json(200, "{\"status\":\"ok\"}")
        : json(503, "{\"status\":\"not ready\"}");
  }

  private static Response json(int status, String body) {
    return Response.of(status)
        .body("application/json", body.getBytes(StandardCharsets.UTF_8))
        .build();
  }

  private String status(String status, String detail) {
    StringBuilder text = new StringBuilder("{\"status\":\"" + status + "\"");
    if (!detail.isEmpty()) {
      text.append(",\"detail\":\"").append(escaped(detail)).append('"');
    }
    long dropped = droppedLogLines.getAsLong();
    if (dropped != 0) {
      text.append(",\"droppedLogLines\":").append(dropped);
    }
    if (!rehearsal.isOff()) {
      text.append(",\"rehearsing\":\"").append(rehearsal.text()).append('"');
    }
    return text.append('}').toString();
  }

  private static String escaped(String text) {
    return text.replaceAll("[\\p{Cntrl}]", " ").replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
