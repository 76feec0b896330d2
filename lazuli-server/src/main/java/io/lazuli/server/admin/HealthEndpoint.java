package io.lazuli.server.admin;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.rehearsal.Rehearsal;
import io.lazuli.storage.EngineState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers the questions about the server's health on the admin listener:
 *
 * <ul>
 *   <li>{@code /livez}: 503 if only a restart helps. A supervisor restarts the server then, so
 *       nothing that a restart does not cure counts: neither a full disk nor an absent cluster.
 *   <li>{@code /readyz} and, as an older name, {@code /ready}: 200 while requests are served.
 *   <li>{@code /health}: 503 if the store accepts no writes. It also reports all troubles that do
 *       not prevent them, including a rehearsal.
 * </ul>
 *
 * HEAD gets the same status as GET, because some checks only read the status.
 */
public final class HealthEndpoint implements Endpoint {
  private final Supplier<EngineState> engineState;
  private final BooleanSupplier serving;
  private final Supplier<String> failure;
  private final Supplier<List<String>> troubles;
  private final LongSupplier droppedLogLines;
  private final Rehearsal rehearsal;

  /**
   * @param serving returns whether requests are served
   * @param failure returns one line if the server has failed and must be restarted; empty otherwise
   * @param troubles returns one line for each trouble of the server outside the engine
   * @param droppedLogLines returns the number of dropped log lines since the start, which is
   *     reported if it is not zero
   * @param rehearsal the rehearsal, which is reported if it is on
   */
  public HealthEndpoint(
      Supplier<EngineState> engineState,
      BooleanSupplier serving,
      Supplier<String> failure,
      Supplier<List<String>> troubles,
      LongSupplier droppedLogLines,
      Rehearsal rehearsal) {
    this.engineState = engineState;
    this.serving = serving;
    this.failure = failure;
    this.troubles = troubles;
    this.droppedLogLines = droppedLogLines;
    this.rehearsal = rehearsal;
  }

  /** Returns whether a path is one of this endpoint. */
  static boolean has(String path) {
    return switch (path) {
      case "/livez", "/readyz", "/ready", "/health" -> true;
      default -> false;
    };
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    return CompletableFuture.completedFuture(answer(request, true));
  }

  /** Returns whether the answer has more for those who may read everything. */
  boolean needsReader(Request request) {
    return request.rawPath().equals("/health");
  }

  /**
   * Returns the answer to a request.
   *
   * @param details false for the status alone, because troubles name files and accounts
   */
  Response answer(Request request, boolean details) {
    Response answer =
        switch (request.rawPath()) {
          case "/livez" -> live();
          case "/readyz", "/ready" -> ready();
          case "/health" -> details ? health() : withoutDetails(health());
          default -> throw CommonErrors.RESOURCE_NOT_FOUND.exception();
        };
    return switch (request.method()) {
      case "GET" -> answer;
      case "HEAD" -> Response.of(answer.status()).build();
      default -> throw CommonErrors.METHOD_NOT_ALLOWED.exception();
    };
  }

  private Response live() {
    String failed = failure.get();
    return failed.isEmpty()
        ? json(200, "{\"status\":\"ok\"}")
        : json(503, "{\"status\":\"failed\",\"detail\":\"" + escaped(failed) + "\"}");
  }

  private Response health() {
    String failed = failure.get();
    EngineState state = engineState.get();
    List<String> all = new ArrayList<>();
    add(failed, all);
    add(state.writable() ? "" : state.detail(), all);
    add(state.fault(), all);
    troubles.get().forEach(one -> add(one, all));
    String detail = String.join("; ", all);
    if (!failed.isEmpty()) {
      return json(503, status("failed", detail));
    }
    if (!state.writable()) {
      return json(503, status("not writable", detail));
    }
    return all.isEmpty()
        ? json(200, status("ok", state.detail()))
        : json(200, status("degraded", detail));
  }

  private static Response withoutDetails(Response health) {
    return json(
        health.status(),
        health.status() == 200 ? "{\"status\":\"ok\"}" : "{\"status\":\"not ok\"}");
  }

  private static void add(String trouble, List<String> all) {
    if (!trouble.isEmpty()) {
      all.add(trouble);
    }
  }

  private Response ready() {
    return serving.getAsBoolean() && failure.get().isEmpty()
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
