package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads whole listings page by page, as a client does that wants everything. */
final class Pages {

  private static final Pattern NAME = Pattern.compile("<Name>([^<]*)</Name>");
  private static final Pattern MARKER = Pattern.compile("<NextMarker>([^<]+)</NextMarker>");

  private Pages() {}

  /** Requires that a listing in XML has this many names in total, each once. */
  static void require(Target target, StorageService service, String listing, int names)
      throws IOException {
    WireClient wire = target.wire(service);
    Set<String> seen = new HashSet<>();
    String marker = "";
    do {
      WireAnswer page = wire.get(listing + marker).send();
      if (page.status() != 200) {
        throw new IOException("a page of " + listing + ": " + page.statusLine());
      }
      Matcher name = NAME.matcher(page.text());
      while (name.find()) {
        if (!seen.add(name.group(1))) {
          throw new IOException("listed twice: " + name.group(1));
        }
      }
      Matcher next = MARKER.matcher(page.text());
      marker = next.find() ? "&marker=" + Keys.encode(next.group(1)) : "";
    } while (!marker.isEmpty());
    if (seen.size() != names) {
      throw new IOException(listing + " has " + seen.size() + " of " + names + " names");
    }
  }

  /** Requires that a query returns this many entities or tables in total. */
  static void requireValues(Target target, String query, int values) throws IOException {
    WireClient wire = target.wire(StorageService.TABLE);
    String separator = query.contains("?") ? "&" : "?";
    int seen = 0;
    String next = "";
    do {
      WireAnswer page = wire.get(query + (next.isEmpty() ? "" : separator + next)).send();
      if (page.status() != 200) {
        throw new IOException("a page of " + query + ": " + page.statusLine());
      }
      seen += page.values().size();
      next = continuation(page);
    } while (!next.isEmpty());
    if (seen != values) {
      throw new IOException(query + " has " + seen + " of " + values + " values");
    }
  }

  private static String continuation(WireAnswer page) {
    StringBuilder parameters = new StringBuilder();
    for (String name : new String[] {"NextPartitionKey", "NextRowKey", "NextTableName"}) {
      page.header("x-ms-continuation-" + name)
          .ifPresent(
              value ->
                  parameters
                      .append(parameters.isEmpty() ? "" : "&")
                      .append(name)
                      .append('=')
                      .append(Keys.encode(value)));
    }
    return parameters.toString();
  }
}
