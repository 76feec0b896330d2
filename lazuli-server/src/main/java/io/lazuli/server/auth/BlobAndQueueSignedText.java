package io.lazuli.server.auth;

import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.ApiVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The strings-to-sign of the blob and queue services (auth 2.2, 3.1 and 3.2). They cover the
 * headers whose names begin with {@code x-ms-}, in one of two orders, but not the body.
 */
final class BlobAndQueueSignedText {
  private static final String COVERED = "x-ms-";

  /** From this version on, {@code Content-Length: 0} is signed as an empty line. */
  private static final String EMPTY_LENGTH_VERSION = "2015-02-21";

  /**
   * The orders that clients use: byte order, and the order of a culture, in which hyphens and
   * apostrophes only break ties and other punctuation comes before digits (JavaScript, auth 2.2).
   */
  static final List<BlobAndQueueSignedText> ORDERS =
      List.of(
          new BlobAndQueueSignedText(Comparator.naturalOrder()),
          new BlobAndQueueSignedText(
              Comparator.comparing(BlobAndQueueSignedText::cultural)
                  .thenComparing(Comparator.naturalOrder())));

  private final Comparator<String> order;

  private BlobAndQueueSignedText(Comparator<String> order) {
    this.order = order;
  }

  String sharedKey(Request request, String account, String date, String path) {
    StringBuilder out = new StringBuilder(512);
    append(out, request.method());
    appendHeaders(out, request, "Content-Encoding", "Content-Language");
    append(out, length(request));
    appendHeaders(out, request, "Content-MD5", "Content-Type");
    append(out, uncovered(request, date));
    appendHeaders(out, request, "If-Modified-Since", "If-Match", "If-None-Match");
    appendHeaders(out, request, "If-Unmodified-Since", "Range");
    appendCovered(out, request);
    out.append('/').append(account).append(path);
    parameters(request.rawQuery())
        .forEach((name, value) -> out.append('\n').append(name).append(':').append(value));
    return out.toString();
  }

  String sharedKeyLite(Request request, String account, String date, String path) {
    StringBuilder out = new StringBuilder(256);
    append(out, request.method());
    appendHeaders(out, request, "Content-MD5", "Content-Type");
    append(out, uncovered(request, date));
    appendCovered(out, request);
    out.append('/').append(account).append(path);
    // The server accepts the name comp in any letter case, so the signature covers it in any letter
    // case.
    String comp = request.query().firstIgnoringCase("comp");
    if (comp != null) {
      out.append("?comp=").append(comp);
    }
    return out.toString();
  }

  /**
   * Returns the date to sign in the line of the Date header. The line is empty if there is an
   * x-ms-date, because that header is signed with the other x-ms headers.
   */
  private static String uncovered(Request request, String date) {
    return request.header("x-ms-date") == null ? date : "";
  }

  private static @Nullable String length(Request request) {
    String length = request.header("Content-Length");
    String version = ApiVersion.of(request);
    boolean older = version != null && version.compareTo(EMPTY_LENGTH_VERSION) < 0;
    return "0".equals(length) && !older ? "" : length;
  }

  private void appendCovered(StringBuilder out, Request request) {
    Map<String, String> covered = new TreeMap<>(order);
    for (String name : request.headers().names()) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (lower.startsWith(COVERED)) {
        covered.put(lower, value(request, name));
      }
    }
    covered.forEach((name, value) -> out.append(name).append(':').append(value).append('\n'));
  }

  private static String value(Request request, String name) {
    return request.headers().all(name).stream()
        .map(value -> value.replaceAll("\\s+", " ").strip())
        .collect(Collectors.joining(","));
  }

  /**
   * Returns the parameters by lower-case name; several values of one name are sorted. A plus sign
   * is not decoded to a space.
   */
  private static Map<String, String> parameters(String rawQuery) {
    Map<String, List<String>> found = new TreeMap<>();
    for (String part : rawQuery.split("&", -1)) {
      int equals = part.indexOf('=');
      String name = equals < 0 ? part : part.substring(0, equals);
      if (!part.isEmpty()) {
        found
            .computeIfAbsent(
                PercentEncoding.decodeBytes(name).toLowerCase(Locale.ROOT),
                first -> new ArrayList<>())
            .add(equals < 0 ? "" : PercentEncoding.decodeBytes(part.substring(equals + 1)));
      }
    }
    Map<String, String> joined = new TreeMap<>();
    found.forEach(
        (name, values) ->
            joined.put(name, values.stream().sorted().collect(Collectors.joining(","))));
    return joined;
  }

  private static void appendHeaders(StringBuilder out, Request request, String... names) {
    for (String name : names) {
      append(out, request.header(name));
    }
  }

  private static void append(StringBuilder out, @Nullable String line) {
    out.append(line == null ? "" : line).append('\n');
  }

  /** Returns a text whose byte order is the order of the culture, except for ties. */
  private static String cultural(String name) {
    StringBuilder weights = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isLetterOrDigit(c)) {
        weights.append(c);
      } else if (c != '-' && c != '\'') {
        weights.append((char) (c & 0x1f));
      }
    }
    return weights.toString();
  }
}
