package io.lazuli.server.load.real;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lazuli.server.load.rule.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Asks the console's route for diagnoses and remembers every one that ever was there. */
final class DiagnosisWatch {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * A diagnosis as it was when it was seen first.
   *
   * @param fields its texts by name
   * @param evidence each figure with its label and its bound
   */
  record Seen(Instant at, Map<String, String> fields, List<String> evidence) {
    String field(String name) {
      return fields.getOrDefault(name, "");
    }

    boolean is(Kind kind, String space) {
      return field("kind").equals(kind.key()) && field("space").equals(space);
    }

    @Override
    public String toString() {
      return at
          + " "
          + field("kind")
          + " of "
          + field("service")
          + "/"
          + field("space")
          + " partition '"
          + field("partition")
          + "' since "
          + field("since")
          + ": "
          + field("fact")
          + " "
          + evidence;
    }
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpRequest request;
  private final Map<String, Seen> seen = new LinkedHashMap<>();

  DiagnosisWatch(int adminPort) {
    request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:%d/api/v1/accounts/%s/load/diagnoses"
                        .formatted(adminPort, Machine.ACCOUNT)))
            .header("X-Lazuli-Console", "1")
            .timeout(Duration.ofSeconds(20))
            .build();
  }

  /** Asks now. Returns the diagnoses that were not there before. */
  List<Seen> look() throws IOException, InterruptedException {
    HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != Call.OK) {
      throw new IOException("the console answers " + answer.statusCode() + answer.body());
    }
    List<Seen> added = new ArrayList<>();
    for (Seen found : parse(answer.body())) {
      // A diagnosis that was over and comes back has another begin.
      if (seen.putIfAbsent(found.field("id") + " " + found.field("since"), found) == null) {
        added.add(found);
      }
    }
    return added;
  }

  List<Seen> seen() {
    return List.copyOf(seen.values());
  }

  private static List<Seen> parse(String text) throws IOException {
    List<Seen> found = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(text)) {
      Map<String, String> fields = new LinkedHashMap<>();
      List<String> evidence = new ArrayList<>();
      StringBuilder figure = new StringBuilder();
      int depth = 0;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.START_OBJECT) {
          depth++;
        } else if (token == JsonToken.END_OBJECT) {
          depth--;
          if (depth == 2) {
            evidence.add(figure.toString());
            figure.setLength(0);
          } else if (depth == 1) {
            found.add(new Seen(Instant.now(), Map.copyOf(fields), List.copyOf(evidence)));
            fields.clear();
            evidence.clear();
          }
        } else if (token.isScalarValue()) {
          value(depth, parser, fields, figure);
        }
      }
    }
    return found;
  }

  private static void value(
      int depth, JsonParser parser, Map<String, String> fields, StringBuilder figure)
      throws IOException {
    @Nullable String name = parser.currentName();
    String value = parser.getText();
    if (depth == 2 && name != null) {
      fields.put(name, value);
    } else if (depth == 3) {
      figure.append(figure.isEmpty() ? "" : " ").append(name).append('=').append(value);
    }
  }
}
