package io.lazuli.conformance.wire;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plays a transcript against the account under test. Each header that the transcript names must
 * have the given value. Other headers must be absent, except those that any answer may have. Bodies
 * are compared byte by byte. Holds the values of the placeholders so far. Used by one test.
 */
public final class TranscriptPlayer {

  /** Headers that do not depend on the operation or may always be sent. */
  private static final Set<String> ALWAYS_ALLOWED =
      Set.of(
          "date",
          "server",
          "connection",
          "keep-alive",
          "content-length",
          "transfer-encoding",
          "x-ms-request-id",
          "x-ms-version",
          "x-ms-client-request-id",
          "x-ms-error-code",
          "x-lazuli-plan",
          "cache-control",
          "x-content-type-options");

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z]+)(?::([a-z0-9]+))?}");
  private static final String GUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
  private static final String DAY = "\\d{4}-\\d\\d-\\d\\dT";

  private final WireClient wire;
  private final String kind;
  private final String name;
  private final Map<String, String> known = new HashMap<>();

  /**
   * Creates a player for one resource.
   *
   * @param kind the placeholder that stands for the resource's name: {@code table}, {@code queue}
   *     or {@code container}
   * @param name the name of the resource
   */
  public TranscriptPlayer(WireClient wire, String kind, String name) {
    this.wire = wire;
    this.kind = kind;
    this.name = name;
    known.put("host", WireRequest.host(wire.account()));
    known.put("account", wire.account().name());
    known.put("base", wire.account().base());
    known.put(kind, name);
  }

  /**
   * Sends the request of an exchange and returns the answer, whatever it is. The transcripts have
   * the account in their paths.
   */
  public WireAnswer play(Transcript.Exchange exchange) {
    String text = exchange.request().replace("/{account}", wire.account().pathPrefix());
    int blank = text.indexOf("\n\n");
    String head = blank < 0 ? text : text.substring(0, blank);
    String body = blank < 0 ? "" : substituted(text.substring(blank + 2)).replace("\n", "\r\n");
    String[] lines = substituted(head).split("\n", -1);
    String[] start = lines[0].split(" ", -1);
    String target = start[1].startsWith("/") ? start[1] : "/" + start[1];
    WireRequest request = wire.requestTarget(start[0], target).signing(Signing.NONE);
    for (String usual : List.of("Host", "x-ms-date", "x-ms-version", "Accept")) {
      request.without(usual);
    }
    if (!body.isEmpty()) {
      request.body(body).without("Content-Type").without("Content-Length");
    }
    for (int i = 1; i < lines.length; i++) {
      addHeader(request, WireAnswer.parseHeader(lines[i]), body);
    }
    return request.send();
  }

  private static void addHeader(WireRequest request, Header header, String body) {
    switch (header.value()) {
      case "{sharedkey}" -> request.signing(Signing.SHARED_KEY);
      case "{sharedkeylite}" -> request.signing(Signing.SHARED_KEY_LITE);
      case "{now}" -> request.anotherHeader(header.name(), WireRequest.httpDate(Instant.now()));
      case "{length}" -> {
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        request.anotherHeader(header.name(), String.valueOf(length));
      }
      default -> request.anotherHeader(header.name(), header.value());
    }
  }

  /** Describes every difference between the answer and the one that the exchange expects. */
  public List<String> differences(Transcript.Exchange exchange, WireAnswer answer) {
    int blank = exchange.answer().indexOf("\n\n");
    String head = blank < 0 ? exchange.answer() : exchange.answer().substring(0, blank);
    String body = blank < 0 ? "" : exchange.answer().substring(blank + 2).replace("\n", "\r\n");
    List<String> found = new ArrayList<>();
    String[] lines = head.split("\n", -1);
    compare("status line", lines[0], answer.statusLine(), found);
    List<Header> left = new ArrayList<>(answer.headers());
    for (int i = 1; i < lines.length; i++) {
      Header expected = WireAnswer.parseHeader(lines[i]);
      Header actual = remove(left, expected.name());
      compare(
          expected.name(), expected.value(), actual == null ? "(absent)" : actual.value(), found);
    }
    left.removeIf(header -> ALWAYS_ALLOWED.contains(header.name().toLowerCase(Locale.ROOT)));
    left.forEach(header -> found.add("unexpected header: " + header));
    compare("body", body, answer.text(), found);
    return found;
  }

  private static @Nullable Header remove(List<Header> headers, String name) {
    for (Header header : headers) {
      if (header.isNamed(name)) {
        headers.remove(header);
        return header;
      }
    }
    return null;
  }

  /** Returns the exchange with the actual answer, in which placeholders replace volatile values. */
  public Transcript.Exchange recorded(Transcript.Exchange exchange, WireAnswer answer) {
    StringBuilder text = new StringBuilder(answer.statusLine());
    for (Header header : answer.headers()) {
      String lower = header.name().toLowerCase(Locale.ROOT);
      boolean kept = !ALWAYS_ALLOWED.contains(lower) || lower.matches("cache-control|x-content.*");
      if (kept) {
        text.append('\n').append(header.name()).append(": ").append(generalised(header.value()));
      }
    }
    String body = generalised(answer.text()).replace("\r\n", "\n");
    text.append(body.isEmpty() ? "" : "\n\n" + body);
    return new Transcript.Exchange(exchange.title(), exchange.request(), text.toString());
  }

  private String generalised(String text) {
    String general = text.replace(wire.account().base(), "{base}").replace(name, "{" + kind + "}");
    general = general.replaceAll("Time:" + DAY + "\\d\\d:\\d\\d:\\d\\d\\.\\d{7}Z", "Time:{time}");
    general = general.replaceAll(GUID, "{guid}");
    for (Map.Entry<String, String> stamp : known.entrySet()) {
      if (stamp.getKey().startsWith("stamp:")) {
        String given = stamp.getKey().substring("stamp:".length());
        general = general.replace(stamp.getValue(), "{stamp:" + given + "}");
        general = general.replace(stamp.getValue().replace(":", "%3A"), "{tag:" + given + "}");
      }
    }
    return general;
  }

  private String substituted(String text) {
    Matcher matcher = PLACEHOLDER.matcher(text);
    return matcher.replaceAll(
        found -> {
          String value =
              switch (found.group(1)) {
                case "tag" -> encoded("stamp:" + found.group(2));
                case "receipt", "id" -> encoded(found.group(1) + ":" + found.group(2));
                default -> known.get(found.group(1));
              };
          return Matcher.quoteReplacement(value == null ? found.group() : value);
        });
  }

  private @Nullable String encoded(String key) {
    String value = known.get(key);
    return value == null ? null : Keys.encode(value);
  }

  private void compare(String what, String expected, String actual, List<String> found) {
    List<String> names = new ArrayList<>();
    Matcher placeholders = PLACEHOLDER.matcher(expected);
    StringBuilder pattern = new StringBuilder();
    int at = 0;
    while (placeholders.find()) {
      pattern.append(Pattern.quote(expected.substring(at, placeholders.start())));
      pattern.append('(').append(patternOf(placeholders)).append(')');
      names.add(placeholders.group());
      at = placeholders.end();
    }
    pattern.append(Pattern.quote(expected.substring(at)));
    Matcher matcher = Pattern.compile(pattern.toString(), Pattern.DOTALL).matcher(actual);
    if (!matcher.matches()) {
      found.add(what + ": expected\n" + expected + "\nbut was\n" + actual);
      return;
    }
    for (int i = 0; i < names.size(); i++) {
      remember(what, names.get(i), matcher.group(i + 1), found);
    }
  }

  private String patternOf(Matcher placeholder) {
    String value = known.get(placeholder.group(1));
    if (value != null) {
      return Pattern.quote(value);
    }
    return switch (placeholder.group(1)) {
      case "guid", "id" -> GUID;
      case "receipt" -> "[A-Za-z0-9+/=]+";
      case "etag" -> "\"0x[0-9A-F]+\"";
      case "date" -> "\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT";
      case "time" -> DAY + "\\d\\d:\\d\\d:\\d\\d\\.\\d{7}Z";
      case "stamp" -> DAY + "\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{0,6}[1-9])?Z";
      case "tag" -> DAY + "\\d\\d%3A\\d\\d%3A\\d\\d(?:\\.\\d{0,6}[1-9])?Z";
      default -> ".*";
    };
  }

  /**
   * Remembers the value of a named placeholder. It must be the same wherever the name occurs,
   * whether in an ETag or as a Timestamp.
   */
  private void remember(String what, String placeholder, String value, List<String> found) {
    int colon = placeholder.indexOf(':');
    if (colon < 0) {
      return;
    }
    String type = placeholder.substring(1, colon);
    String given = placeholder.substring(colon + 1, placeholder.length() - 1);
    String key = (type.equals("tag") ? "stamp" : type) + ":" + given;
    String plain = type.equals("tag") ? value.replace("%3A", ":") : value;
    String before = known.putIfAbsent(key, plain);
    if (before != null && !before.equals(plain)) {
      found.add(what + ": " + placeholder + " was " + before + " and is " + plain);
    }
  }
}
