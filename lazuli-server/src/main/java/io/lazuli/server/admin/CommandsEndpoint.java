package io.lazuli.server.admin;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.event.Subject;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * {@code POST /commands/NAME} on the admin listener: runs a command for a caller that knows the
 * token. The body holds the arguments, and the answer the results, as {@link CommandJson}. A
 * refused command gets 409 and the reason as {@code error}. The token is checked before the name
 * and the body, so that a stranger learns nothing and sends nothing. A web page has no business
 * here, even one of this machine: a request with an origin is refused.
 */
public final class CommandsEndpoint implements Endpoint {
  static final String PATH_PREFIX = "/commands/";

  private final Map<String, AdminCommand> commands;
  private final AdminToken token;
  private final int bodyBytesMax;
  private final Function<String, WorkerPool> workers;

  /**
   * @param bodyBytesMax the maximum bytes of the arguments
   * @param workers returns the thread that runs a command with a name
   */
  public CommandsEndpoint(
      Map<String, AdminCommand> commands,
      AdminToken token,
      int bodyBytesMax,
      Function<String, WorkerPool> workers) {
    this.commands = Map.copyOf(commands);
    this.token = token;
    this.bodyBytesMax = bodyBytesMax;
    this.workers = workers;
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    if (!request.method().equals("POST")) {
      throw CommonErrors.METHOD_NOT_ALLOWED.exception();
    }
    if (request.header("Origin") != null || request.header("Sec-Fetch-Site") != null) {
      throw CommonErrors.AUTHORIZATION_FAILURE.exception();
    }
    if (!hasToken(request)) {
      throw CommonErrors.AUTHENTICATION_FAILED.exception();
    }
    request.details().subject(Subject.COMMAND_LINE);
    String name = request.rawPath().substring(PATH_PREFIX.length());
    AdminCommand command = commands.get(name);
    if (command == null) {
      throw CommonErrors.RESOURCE_NOT_FOUND.exception();
    }
    request.details().operation(new CommandOperation(name));
    return request
        .content()
        .read(bodyBytesMax)
        .thenCompose(
            body ->
                workers
                    .apply(name)
                    .call(
                        () -> CompletableFuture.completedFuture(run(request, command, body)),
                        request.loop()));
  }

  /** Returns whether the sender of a request can read the data folder. */
  boolean hasToken(Request request) {
    return token.isIn(request.header("Authorization"));
  }

  private static Response run(Request request, AdminCommand command, byte[] body) {
    try {
      Map<String, String> arguments = body.length == 0 ? Map.of() : CommandJson.parse(body);
      request.details().account(arguments.getOrDefault("account", ""));
      return answer(200, command.run(arguments));
    } catch (RefusedCommandException e) {
      return answer(409, Map.of("error", String.valueOf(e.getMessage())));
    } catch (IllegalArgumentException e) {
      return answer(400, Map.of("error", String.valueOf(e.getMessage())));
    }
  }

  private static Response answer(int status, Map<String, String> values) {
    return Response.of(status).body("application/json", CommandJson.write(values)).build();
  }
}
