package io.lazuli.server.console;

import io.lazuli.server.admin.RequestGuard;
import io.lazuli.server.console.api.Call;
import io.lazuli.server.console.api.Route;
import io.lazuli.server.console.api.Routes;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.page.StaticFiles;
import io.lazuli.server.console.session.Role;
import io.lazuli.server.console.session.Session;
import io.lazuli.server.console.session.SignIn;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.KeyUse;
import io.lazuli.server.event.MaskedText;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.RequestDetails;
import io.lazuli.server.event.Subject;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.thread.OutOfMemory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console: JSON routes below {@code /api/v1}, and its page at all other paths. Checks of a
 * request, in this order: host, beyond loopback, route, origin, header, session, role, account.
 */
public final class ConsoleEndpoint implements Endpoint {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleEndpoint.class);

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'";

  private final RequestGuard guard;
  private final SignIn signIn;
  private final Function<Request, CompletionStage<@Nullable Session>> tokens;
  private final StaticFiles files;
  private final Routes routes;
  private final Predicate<String> accounts;
  private final WorkerPool workers;
  private final int bodyBytesMax;
  private final Duration timeMax;

  /**
   * @param tokens returns the session of a request with a token; null if it has none
   * @param accounts returns whether an account exists
   * @param workers the threads of the console
   * @param bodyBytesMax the maximum bytes of a JSON body
   * @param timeMax the maximum time of a request
   */
  public ConsoleEndpoint(
      RequestGuard guard,
      SignIn signIn,
      Function<Request, CompletionStage<@Nullable Session>> tokens,
      StaticFiles files,
      Routes routes,
      Predicate<String> accounts,
      WorkerPool workers,
      int bodyBytesMax,
      Duration timeMax) {
    this.guard = guard;
    this.signIn = signIn;
    this.tokens = tokens;
    this.files = files;
    this.routes = routes;
    this.accounts = accounts;
    this.workers = workers;
    this.bodyBytesMax = bodyBytesMax;
    this.timeMax = timeMax;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    CompletionStage<Response> answer;
    try {
      guard.requireHost(request);
      guard.requireOn();
      answer = isApi(request.rawPath()) ? api(request) : page(request);
    } catch (RuntimeException failure) {
      answer = CompletableFuture.failedFuture(failure);
    }
    return answer
        .exceptionally(failure -> refusal(request, Futures.cause(failure)))
        .thenApply(response -> secured(request, response));
  }

  private static boolean isApi(String path) {
    return path.equals("/api") || path.startsWith("/api/");
  }

  private CompletionStage<Response> page(Request request) {
    return switch (request.method()) {
      case "GET", "HEAD" -> CompletableFuture.completedFuture(files.answer(request));
      default -> throw ConsoleErrors.WRONG_METHOD.exception();
    };
  }

  private CompletionStage<Response> api(Request request) {
    if (!request.rawPath().startsWith(Routes.PREFIX + "/")) {
      throw ConsoleErrors.NO_ROUTE.exception();
    }
    Routes.Found found = routes.find(request.method(), request.rawPath());
    name(request, found);
    return tokens.apply(request).thenCompose(byToken -> answer(request, found, byToken));
  }

  /**
   * Answers a request.
   *
   * @param byToken the session of a token, which no page of others can send; null if there is none
   */
  private CompletionStage<Response> answer(
      Request request, Routes.Found found, @Nullable Session byToken) {
    Route route = found.route();
    Session session = byToken;
    if (byToken == null) {
      checkSender(request, route);
      session = signIn.session(RequestGuard.secret(request));
    } else {
      guard.requireNotForeign(request);
    }
    if (session != null && byToken == null) {
      request.details().subject(Subject.ofUser(session.user()));
    }
    requireRole(route, session);
    String account = found.names().get("a");
    if (account != null && !accounts.test(account)) {
      throw ConsoleErrors.NO_ACCOUNT.exception();
    }
    note(request, route, session);
    Session sender = session;
    if (route.body() == Route.Body.STREAM) {
      return run(request, found, sender, new byte[0]);
    }
    return request
        .content()
        .read(bodyBytesMax)
        .thenCompose(body -> run(request, found, sender, body));
  }

  /** Says in the event of a request what it is about. Parameters name things inside a resource. */
  private static void name(Request request, Routes.Found found) {
    RequestDetails details = request.details().operation(found.route());
    String account = found.names().get("a");
    if (account != null) {
      details.account(account);
    }
    String key = request.query().first("pk");
    String blob = request.query().first("blob");
    if (key != null) {
      details.keys(KeyUse.of("", key, request.query().first("rk")));
    } else if (blob != null) {
      details.keys(KeyUse.of("", blob, null));
    }
  }

  private CompletionStage<Response> run(
      Request request, Routes.Found found, @Nullable Session session, byte[] body) {
    Call call =
        new Call(
            request,
            found.names(),
            session,
            body,
            workers.orElse(Runnable::run),
            Deadline.after(timeMax));
    return workers.callBounded(() -> found.route().handler().handle(call), request.loop());
  }

  private void checkSender(Request request, Route route) {
    if (route.method().equals("GET")) {
      guard.requireNotForeign(request);
    } else {
      guard.requireOwnPage(request);
    }
    if (route.body() != Route.Body.LINK) {
      guard.requireHeader(request);
    }
  }

  private static void requireRole(Route route, @Nullable Session session) {
    Role role = route.role();
    if (role == null) {
      return;
    }
    if (session == null) {
      throw ConsoleErrors.SIGN_IN_NEEDED.exception();
    }
    if (!session.role().includes(role)) {
      throw ConsoleErrors.ROLE_TOO_SMALL.exception().with("role", role.text());
    }
  }

  /** Logs who changes what. Paths name resources; keys and secrets are never part of a path. */
  private static void note(Request request, Route route, @Nullable Session session) {
    if (route.kind() != OperationKind.READ) {
      LOG.info(
          "console: {} asked for {} at {}",
          session == null ? "somebody" : session.user(),
          route.name(),
          MaskedText.of(request.rawPath()));
    }
  }

  private static Response refusal(Request request, Throwable failure) {
    ServiceException refusal;
    if (failure instanceof ServiceException expected) {
      refusal = expected;
    } else {
      OutOfMemory.check(failure);
      LOG.error("console request {} failed", request.id(), failure);
      refusal = CommonErrors.INTERNAL_ERROR.exception();
    }
    ServiceError error = refusal.error();
    request.details().errorCode(error.code());
    boolean retry = error.status() == 503 || error.status() == 429;
    return JsonOut.answer(
        error.status(),
        json -> {
          json.writeStringField("code", error.code());
          json.writeStringField("message", refusal.text());
          json.writeBooleanField("retry", retry);
        });
  }

  /** Adds the headers that keep the page from doing what a page of others wants. */
  private static Response secured(Request request, Response response) {
    Response.Builder out = response.toBuilder();
    if (isApi(request.rawPath()) && response.header("Cache-Control") == null) {
      out.header("Cache-Control", "no-store");
    }
    return out.header("Content-Security-Policy", POLICY)
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer")
        .header("Cross-Origin-Opener-Policy", "same-origin")
        .header("Cross-Origin-Resource-Policy", "same-origin")
        .header("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
        .build();
  }
}
