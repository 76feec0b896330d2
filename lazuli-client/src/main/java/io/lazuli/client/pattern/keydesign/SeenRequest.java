package io.lazuli.client.pattern.keydesign;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.util.BinaryData;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a request to the table service that matter for the design of keys. Immutable.
 *
 * @param table the name of the table
 * @param partitions the partitions that the request names; at least one
 * @param inserts the number of entities that it may insert: inserts and upserts
 * @param entities the number of entities that it names; 1 for a query
 * @param shape the condition of a query with its values left out; null if this is not a query
 */
record SeenRequest(
    String table, Set<String> partitions, long inserts, long entities, @Nullable String shape) {
  /** Longer bodies are read up to here; the rest of a batch is estimated. */
  private static final int BODY_BYTES_MAX = 64 << 10;

  private static final String QUOTED = "'((?:[^']|'')*)'";
  private static final Pattern IN_PATH = Pattern.compile("PartitionKey=" + QUOTED);
  private static final Pattern IN_FILTER = Pattern.compile("PartitionKey eq " + QUOTED);
  private static final Pattern VALUE = Pattern.compile(QUOTED + "|\\b[0-9][0-9.]*L?\\b");
  private static final Pattern IN_BODY =
      Pattern.compile("\"PartitionKey\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern OPERATION =
      Pattern.compile("(?m)^(POST|PUT|PATCH|MERGE|DELETE) (\\S+) HTTP/1\\.1\\s*$");
  private static final Pattern CONDITION = Pattern.compile("(?im)^If-Match:");

  /** Returns the parts; empty if the request names no partition. */
  static Optional<SeenRequest> of(HttpRequest request) {
    String path = request.getUrl().getPath();
    HttpMethod method = request.getHttpMethod();
    if (path.endsWith("/$batch")) {
      return batch(body(request), length(request));
    }
    String table = table(path);
    Set<String> named = found(IN_PATH, decoded(path));
    if (!named.isEmpty()) {
      boolean isUpsert =
          (method == HttpMethod.PUT || method == HttpMethod.PATCH)
              && request.getHeaders().getValue(HttpHeaderName.IF_MATCH) == null;
      return Optional.of(new SeenRequest(table, named, isUpsert ? 1 : 0, 1, null));
    }
    if (method == HttpMethod.POST) {
      return single(IN_BODY, body(request))
          .map(partition -> new SeenRequest(table, Set.of(unescaped(partition)), 1, 1, null));
    }
    return method == HttpMethod.GET ? query(table, request) : Optional.empty();
  }

  private static Optional<SeenRequest> query(String table, HttpRequest request) {
    String text = request.getUrl().getQuery();
    String filter = text == null ? "" : decoded(text.replace('+', ' '));
    Set<String> named = found(IN_FILTER, filter);
    String shape = VALUE.matcher(filter).replaceAll("?");
    return named.isEmpty()
        ? Optional.empty()
        : Optional.of(new SeenRequest(table, named, 0, 1, shape));
  }

  /** All operations of a batch have the same table and partition. */
  private static Optional<SeenRequest> batch(String body, long length) {
    Matcher operations = OPERATION.matcher(body);
    String address = "";
    long seen = 0;
    long posts = 0;
    while (operations.find()) {
      address = seen == 0 ? operations.group(2) : address;
      seen++;
      posts += operations.group(1).equals("POST") ? 1 : 0;
    }
    if (seen == 0) {
      return Optional.empty();
    }
    Optional<String> inPath = found(IN_PATH, decoded(address)).stream().findFirst();
    Optional<String> partition = inPath.or(() -> single(IN_BODY, body).map(SeenRequest::unescaped));
    long all = Math.max(seen, seen * length / Math.max(1, body.length()));
    boolean areUpserts = posts == 0 && !CONDITION.matcher(body).find();
    long inserts = areUpserts ? all : posts * all / seen;
    String table = table(address);
    return partition.map(name -> new SeenRequest(table, Set.of(name), inserts, all, null));
  }

  private static String table(String path) {
    int end = path.indexOf('(');
    String beforeKey = end < 0 ? path : path.substring(0, end);
    return beforeKey.substring(beforeKey.lastIndexOf('/') + 1);
  }

  private static String body(HttpRequest request) {
    BinaryData body = request.getBodyAsBinaryData();
    if (body == null || !body.isReplayable()) {
      return "";
    }
    byte[] bytes = body.toBytes();
    return new String(bytes, 0, Math.min(bytes.length, BODY_BYTES_MAX), StandardCharsets.UTF_8);
  }

  private static long length(HttpRequest request) {
    BinaryData body = request.getBodyAsBinaryData();
    Long length = body == null ? null : body.getLength();
    return length == null ? 0 : length;
  }

  private static Set<String> found(Pattern pattern, String text) {
    Set<String> found = new LinkedHashSet<>();
    pattern.matcher(text).results().forEach(result -> found.add(unquoted(result)));
    return found;
  }

  private static Optional<String> single(Pattern pattern, String text) {
    return pattern.matcher(text).results().findFirst().map(result -> result.group(1));
  }

  private static String unquoted(MatchResult result) {
    return result.group(1).replace("''", "'");
  }

  /** A key has no control characters and no backslash, so JSON escapes at most its quotes. */
  private static String unescaped(String json) {
    return json.replace("\\\"", "\"");
  }

  /** Decodes percent escapes. A plus sign in a path is a plus sign. */
  private static String decoded(String text) {
    return text.indexOf('%') < 0
        ? text
        : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
