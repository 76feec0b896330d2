package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.READER;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.admin.RequestGuard;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.console.session.Session;
import io.lazuli.server.console.session.Sessions;
import io.lazuli.server.console.session.SignIn;
import io.lazuli.server.event.Subject;
import io.lazuli.server.http.Response;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The routes about the user and the server. */
public final class ServerRoutes {
  /**
   * What the console says about the server.
   *
   * @param rehearsing true if requests fail on purpose
   * @param durable false if acknowledged writes may be lost
   */
  public record About(
      String version, String engine, boolean rehearsing, boolean durable, boolean writable) {}

  private final SignIn signIn;
  private final Supplier<List<String>> accounts;
  private final Supplier<About> about;
  private final Supplier<List<Route>> all;

  /**
   * @param accounts returns the names of the enabled accounts
   * @param all returns all routes
   */
  public ServerRoutes(
      SignIn signIn,
      Supplier<List<String>> accounts,
      Supplier<About> about,
      Supplier<List<Route>> all) {
    this.signIn = signIn;
    this.accounts = accounts;
    this.about = about;
    this.all = all;
  }

  public List<Route> routes() {
    return List.of(
        Route.of("session", "GET /session", READER, this::session),
        Route.of("sign-in", "POST /session", null, this::begin),
        Route.of("sign-out", "DELETE /session", READER, this::end),
        Route.of("limits", "GET /limits", READER, call -> limits()),
        Route.of("accounts", "GET /accounts", READER, call -> accounts()));
  }

  private CompletionStage<Response> session(Call call) {
    return answer(session(Objects.requireNonNull(call.session())));
  }

  private Response session(Session session) {
    return JsonOut.answer(200, json -> write(json, session));
  }

  private static CompletionStage<Response> answer(Response response) {
    return CompletableFuture.completedFuture(response);
  }

  private void write(JsonGenerator json, Session session) throws IOException {
    About server = about.get();
    json.writeStringField("user", session.user());
    json.writeStringField("role", session.role().text());
    JsonOut.text(json, "ends", signIn.isOpen() ? null : session.ends().toString());
    json.writeNumberField("idleSeconds", Sessions.IDLE_TIME_MAX.toSeconds());
    json.writeBooleanField("open", signIn.isOpen());
    json.writeArrayFieldStart("may");
    for (Route route : all.get()) {
      Role role = route.role();
      if (role == null || session.role().includes(role)) {
        json.writeString(route.name());
      }
    }
    json.writeEndArray();
    json.writeObjectFieldStart("server");
    json.writeStringField("version", server.version);
    json.writeStringField("engine", server.engine);
    json.writeBooleanField("rehearsing", server.rehearsing);
    json.writeBooleanField("durable", server.durable);
    json.writeBooleanField("writable", server.writable);
    json.writeEndObject();
  }

  private CompletionStage<Response> begin(Call call) {
    JsonBody body = call.json("link", "user", "password");
    if (!signIn.mayTry()) {
      throw ConsoleErrors.TOO_MANY_ATTEMPTS.exception();
    }
    String link = body.text("link");
    String secret =
        link != null
            ? signIn.byLink(link)
            : signIn.byPassword(body.requireText("user"), body.requireText("password"));
    Session session = secret == null ? null : signIn.session(secret);
    if (secret == null || session == null) {
      throw ConsoleErrors.SIGN_IN_FAILED.exception();
    }
    call.request().details().subject(Subject.ofUser(session.user()));
    return answer(
        session(session).toBuilder()
            .header("Set-Cookie", RequestGuard.cookie(call.request(), secret))
            .build());
  }

  private CompletionStage<Response> end(Call call) {
    signIn.end(Objects.requireNonNull(call.session()).user());
    return answer(
        Response.of(204).header("Set-Cookie", RequestGuard.cookie(call.request(), "")).build());
  }

  private static CompletionStage<Response> limits() {
    return answer(
        JsonOut.answer(
            200,
            json -> {
              json.writeNumberField("pageRows", Call.ROWS_MAX);
              json.writeNumberField("pageBytes", QueryRoutes.PAGE_BYTES_MAX);
              json.writeNumberField("pageMillis", QueryRoutes.PAGE_TIME_MAX.toMillis());
              json.writeNumberField("filterChars", QueryRoutes.FILTER_CHARS_MAX);
              json.writeNumberField("comparisons", 1_000);
              json.writeNumberField("blockBytes", ContentRoutes.BLOCK_BYTES_MAX);
              json.writeNumberField("transactionChanges", EntityRoutes.CHANGES_MAX);
              json.writeNumberField("messageBytes", 64 << 10);
              json.writeNumberField("rowBytes", EntityJson.ROW_BYTES_MAX);
              json.writeNumberField("streams", EventRoutes.STREAMS_MAX);
              json.writeNumberField("requeueMessages", QueueRoutes.REQUEUED_MAX);
            }));
  }

  private CompletionStage<Response> accounts() {
    List<String> names = accounts.get();
    return answer(
        JsonOut.answer(
            200,
            json -> {
              json.writeArrayFieldStart("accounts");
              for (String name : names) {
                json.writeStartObject();
                json.writeStringField("name", name);
                json.writeEndObject();
              }
              json.writeEndArray();
            }));
  }
}
