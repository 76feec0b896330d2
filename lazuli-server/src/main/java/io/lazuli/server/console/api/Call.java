package io.lazuli.server.console.api;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.session.Session;
import io.lazuli.server.http.Request;
import io.lazuli.storage.Deadline;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A request to a route, with the names in its path.
 *
 * @param session null if the route is for anybody
 * @param workers the threads of the console; never refuses
 */
public record Call(
    Request request,
    Map<String, String> names,
    @Nullable Session session,
    byte[] body,
    Executor workers,
    Deadline deadline) {
  /** The maximum number of rows of a page. */
  public static final int ROWS_MAX = 1_000;

  private static final int ROWS = 200;

  public String account() {
    return name("a");
  }

  public String name(String placeholder) {
    return Objects.requireNonNull(names.get(placeholder), placeholder);
  }

  /** Returns the server itself as the caller of services: the console has checked the role. */
  public Caller caller() {
    return new Caller(account(), false, new Access.Full());
  }

  /** Returns a parameter; null if it is absent. */
  public @Nullable String parameter(String name) {
    return request.query().first(name);
  }

  public String parameter(String name, String otherwise) {
    String value = parameter(name);
    return value == null ? otherwise : value;
  }

  public String require(String name) {
    String value = parameter(name);
    if (value == null) {
      throw ConsoleErrors.badRequest("The parameter " + name + " is missing.");
    }
    return value;
  }

  /** Returns the parameter {@code limit}. */
  public int limit() {
    String text = parameter("limit");
    return text == null ? ROWS : limit(text.matches("\\d{1,6}") ? Long.parseLong(text) : 0);
  }

  static int limit(long limit) {
    if (limit < 1 || limit > ROWS_MAX) {
      throw ConsoleErrors.badRequest("The limit must be 1 to 1,000.");
    }
    return (int) limit;
  }

  static int rows(JsonBody body) {
    return limit(body.number("limit", ROWS));
  }

  /** Parses the body; a field that is not known is refused. */
  public JsonBody json(String... known) {
    return JsonBody.parse(body, Set.of(known));
  }

  /** Returns a header; throws if it is absent. */
  public String requireHeader(String name) {
    String value = request.header(name);
    if (value == null) {
      throw ConsoleErrors.badRequest("The header " + name + " is missing.");
    }
    return value;
  }
}
