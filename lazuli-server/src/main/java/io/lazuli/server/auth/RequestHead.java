package io.lazuli.server.auth;

import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.Content;
import io.lazuli.server.http.Headers;
import io.lazuli.server.http.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request, collected from options and from the output of tools: {@code curl -v}, the
 * logs of SDKs, or the bare request. Lines that do not belong to a request are skipped. Mutable.
 */
public final class RequestHead {
  private static final Pattern REQUEST_LINE =
      Pattern.compile("(?:.*\\s)?([A-Z]{3,7}) (https?://\\S+|/\\S*)(?: HTTP/\\S+)?");
  private static final Pattern PYTHON_URL = Pattern.compile("Request URL: '(.*)'");
  private static final Pattern PYTHON_METHOD = Pattern.compile("Request method: '(.*)'");
  private static final Pattern HEADER = Pattern.compile("'?([A-Za-z0-9-]+)'?:\\s*(.*)");

  private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private String method = "GET";
  private String target = "";
  private String scheme = "http";

  public void method(String given) {
    method = given;
  }

  /** Takes a complete URL, or a path whose host is in the Host header. */
  public void url(String given) {
    String url = bytes(given);
    int start = url.indexOf("://");
    if (start < 0) {
      target = url;
      return;
    }
    scheme = url.substring(0, start);
    String rest = url.substring(start + 3);
    int end = rest.replace('?', '/').indexOf('/');
    String authority = end < 0 ? rest : rest.substring(0, end);
    if (!headers.containsKey("Host")) {
      headers.put("Host", List.of(authority));
    }
    target = end < 0 ? "" : rest.substring(end);
    int fragment = target.indexOf('#');
    target = fragment < 0 ? target : target.substring(0, fragment);
  }

  /** Returns false if the line is not a header. */
  public boolean header(String line) {
    Matcher header = HEADER.matcher(line);
    if (!header.matches()) {
      return false;
    }
    String value = bytes(header.group(2)).strip();
    boolean quoted = value.length() > 1 && value.startsWith("'") && value.endsWith("'");
    String name = header.group(1);
    if (name.equalsIgnoreCase("Host")) {
      headers.remove(name);
    }
    headers
        .computeIfAbsent(name, first -> new ArrayList<>())
        .add(quoted ? value.substring(1, value.length() - 1) : value);
    return true;
  }

  /** Takes a line of a log. The first request in the log counts, until its answer begins. */
  public void line(String printed) {
    String line = printed.startsWith("> ") ? printed.substring(2) : printed.strip();
    if (line.startsWith("<") || line.startsWith("*") || line.isEmpty()) {
      return;
    }
    Matcher python = PYTHON_URL.matcher(line);
    Matcher verb = PYTHON_METHOD.matcher(line);
    Matcher start = REQUEST_LINE.matcher(line);
    if (python.matches()) {
      url(python.group(1));
    } else if (verb.matches()) {
      method(verb.group(1));
    } else if (target.isEmpty() && start.matches()) {
      method(start.group(1));
      url(start.group(2));
    } else {
      header(line);
    }
  }

  public boolean hasTarget() {
    return !target.isEmpty() || headers.containsKey("Host");
  }

  public String host() {
    List<String> hosts = headers.get("Host");
    return hosts == null ? "" : hosts.get(0);
  }

  public Request request(String from) {
    headers.putIfAbsent("Host", List.of("localhost"));
    int query = target.indexOf('?');
    return new Request(
        "explained",
        method,
        query < 0 ? target : target.substring(0, query),
        query < 0 ? "" : target.substring(query + 1),
        new ListedHeaders(headers),
        scheme,
        from,
        0,
        Content.NONE,
        AnswerBudget.unbounded(),
        Runnable::run);
  }

  /** Returns a text with one character per byte, as in a received request. */
  private static String bytes(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private record ListedHeaders(Map<String, List<String>> values) implements Headers {
    @Override
    public @Nullable String first(String name) {
      List<String> all = values.get(name);
      return all == null ? null : all.get(0);
    }

    @Override
    public Set<String> names() {
      return values.keySet();
    }

    @Override
    public List<String> all(String name) {
      return values.getOrDefault(name, List.of());
    }
  }
}
