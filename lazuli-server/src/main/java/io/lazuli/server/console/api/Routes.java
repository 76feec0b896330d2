package io.lazuli.server.console.api;

import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.http.PercentEncoding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of routes. It finds the route of a request. */
public final class Routes {
  /** The start of the path of every route. */
  public static final String PREFIX = "/api/v1";

  private final List<Route> routes;

  /** A route, and the names in a path. */
  public record Found(Route route, Map<String, String> names) {}

  public Routes(List<List<Route>> parts) {
    List<Route> all = new ArrayList<>();
    parts.forEach(all::addAll);
    this.routes = List.copyOf(all);
  }

  public List<Route> all() {
    return routes;
  }

  /** Finds the route of a request; throws 404 or 405 if there is none. */
  public Found find(String method, String rawPath) {
    String[] segments = rawPath.substring(PREFIX.length()).split("/", -1);
    boolean there = false;
    for (Route route : routes) {
      Map<String, String> names = match(route.path().split("/", -1), segments);
      if (names != null && route.method().equals(method)) {
        return new Found(route, names);
      }
      there |= names != null;
    }
    throw (there ? ConsoleErrors.WRONG_METHOD : ConsoleErrors.NO_ROUTE).exception();
  }

  private static @Nullable Map<String, String> match(String[] pattern, String[] segments) {
    if (pattern.length != segments.length) {
      return null;
    }
    Map<String, String> names = new HashMap<>();
    for (int i = 0; i < pattern.length; i++) {
      if (pattern[i].startsWith("{")) {
        String name = PercentEncoding.decode(segments[i]);
        if (name == null || name.isEmpty()) {
          return null;
        }
        names.put(pattern[i].substring(1, pattern[i].length() - 1), name);
      } else if (!pattern[i].equals(segments[i])) {
        return null;
      }
    }
    return names;
  }
}
