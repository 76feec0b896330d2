package io.lazuli.server.console.api;

import io.lazuli.server.console.session.Role;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.http.Response;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One route below {@code /api/v1}.
 *
 * @param path its segments; one in braces stands for a name
 * @param role the smallest role that may use it; null for anybody
 * @param body what its body is
 */
public record Route(
    String name, String method, String path, @Nullable Role role, Body body, Handler handler)
    implements OperationType {
  /** The routes that read although browsers send them with POST. */
  private static final Set<String> READS = Set.of("query", "propose", "explain");

  /** The body of a request. */
  public enum Body {
    /** A JSON object, or nothing. */
    JSON,
    /** Bytes that the handler streams. */
    STREAM,
    /** Nothing, and a browser sends it without the console's header. */
    LINK
  }

  /** Answers a request. Runs on a thread of the console. */
  @FunctionalInterface
  public interface Handler {
    CompletionStage<Response> handle(Call call);
  }

  static Route of(String name, String line, @Nullable Role role, Handler handler) {
    return of(name, line, role, Body.JSON, handler);
  }

  static Route of(String name, String line, @Nullable Role role, Body body, Handler handler) {
    int space = line.indexOf(' ');
    return new Route(
        name, line.substring(0, space), line.substring(space + 1), role, body, handler);
  }

  @Override
  public String documentedName() {
    return name;
  }

  @Override
  public OperationKind kind() {
    if (method.equals("GET") || READS.contains(name)) {
      return OperationKind.READ;
    }
    return method.equals("DELETE") ? OperationKind.DELETE : OperationKind.WRITE;
  }

  /** Returns the line of the route in documents. */
  public String line() {
    return method + " " + path;
  }
}
