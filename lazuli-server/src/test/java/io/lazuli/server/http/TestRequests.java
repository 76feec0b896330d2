package io.lazuli.server.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Creates requests without a connection. */
public final class TestRequests {
  private TestRequests() {}

  /**
   * Returns a request that always has the same id.
   *
   * @param headers names and values, alternating
   */
  public static Request of(String method, String target, String... headers) {
    return request(method, "http", "127.0.0.1", target, headers);
  }

  /** Returns a GET from the given peer, addressed to the account in its path. */
  public static Request from(String scheme, String peer, String target) {
    Request request = request("GET", scheme, peer, target);
    int end = request.rawPath().indexOf('/', 1);
    String account = request.rawPath().substring(1, end);
    return request.withAddress(new Address(account, false, request.rawPath().substring(end), ""));
  }

  private static Request request(
      String method, String scheme, String peer, String target, String... headers) {
    Map<String, String> map = new TreeMap<>();
    map.put("host", "127.0.0.1:10002");
    for (int i = 0; i < headers.length; i += 2) {
      map.put(headers[i].toLowerCase(Locale.ROOT), headers[i + 1]);
    }
    int query = target.indexOf('?');
    return new Request(
        "2b6a1e3c-0002-4011-a2aa-334455667788",
        method,
        query < 0 ? target : target.substring(0, query),
        query < 0 ? "" : target.substring(query + 1),
        new MapHeaders(map),
        scheme,
        peer,
        0,
        Content.NONE,
        AnswerBudget.unbounded(),
        Runnable::run);
  }

  private record MapHeaders(Map<String, String> map) implements Headers {
    @Override
    public String first(String name) {
      return map.get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public Set<String> names() {
      return map.keySet();
    }

    @Override
    public List<String> all(String name) {
      String value = first(name);
      return value == null ? List.of() : List.of(value);
    }
  }
}
