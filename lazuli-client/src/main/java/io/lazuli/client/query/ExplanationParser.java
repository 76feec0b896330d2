package io.lazuli.client.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lazuli.client.query.Explanation.Kind;
import io.lazuli.client.query.ServerExplanation.Advice;
import io.lazuli.client.query.ServerExplanation.Azure;
import io.lazuli.client.query.ServerExplanation.Basis;
import io.lazuli.client.query.ServerExplanation.Figure;
import io.lazuli.client.query.ServerExplanation.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the JSON in which a server explains a query. */
final class ExplanationParser {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int NANOS_PER_MILLI = 1_000_000;

  private static final Map<Kind, String> KINDS =
      Map.of(
          Kind.NONE,
          "none",
          Kind.POINT,
          "point",
          Kind.POINTS,
          "seeks",
          Kind.ROW_RANGE,
          "range",
          Kind.PARTITION,
          "partition scan",
          Kind.TABLE,
          "table scan");

  private ExplanationParser() {}

  /** Returns the server's name of a kind. */
  static String text(Kind kind) {
    return KINDS.getOrDefault(kind, "");
  }

  static ServerExplanation parse(String json) {
    try {
      return explanation(MAPPER.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the explanation of the server is not valid JSON", e);
    }
  }

  private static ServerExplanation explanation(JsonNode json) {
    JsonNode azure = json.path("azure");
    return new ServerExplanation(
        kind(json),
        text(json, "line"),
        number(json.path("partitions"), "n"),
        ranges(json.path("ranges")),
        json.path("moreRanges").asInt(),
        text(json, "rest"),
        figure(json.path("read")),
        figure(json.path("returned")),
        number(json, "bytes"),
        time(json.path("millis")),
        new Azure(kind(azure), text(azure, "text")),
        advice(json.path("advice")),
        text(json, "narrowed"));
  }

  private static Kind kind(JsonNode json) {
    String text = json.path("kind").asText();
    return KINDS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(text))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the server explains a query of an unknown kind: '" + text + "'"));
  }

  private static List<Range> ranges(JsonNode json) {
    List<Range> ranges = new ArrayList<>();
    for (JsonNode range : json) {
      ranges.add(
          new Range(
              key(range.path("from")),
              key(range.path("to")),
              range.path("toIncluded").asBoolean(),
              range.path("whole").asBoolean()));
    }
    return ranges;
  }

  private static ServerExplanation.@Nullable Key key(JsonNode json) {
    return json.isArray()
        ? new ServerExplanation.Key(
            json.path(0).asText(), json.path(1).isTextual() ? json.path(1).asText() : null)
        : null;
  }

  private static Figure figure(JsonNode json) {
    Long age = number(json, "age");
    return new Figure(
        number(json, "n"),
        number(json, "atLeast"),
        basis(json.path("basis").asText()),
        age == null ? null : Duration.ofSeconds(age));
  }

  private static Basis basis(String text) {
    for (Basis basis : Basis.values()) {
      if (basis.name().toLowerCase(Locale.ROOT).equals(text)) {
        return basis;
      }
    }
    return Basis.UNKNOWN;
  }

  private static @Nullable Duration time(JsonNode millis) {
    return millis.isNumber()
        ? Duration.ofNanos(Math.round(millis.asDouble() * NANOS_PER_MILLI))
        : null;
  }

  private static @Nullable Advice advice(JsonNode json) {
    return json.isObject()
        ? new Advice(
            json.path("key").asText(), text(json, "text"), text(json, "page"), text(json, "code"))
        : null;
  }

  private static @Nullable String text(JsonNode json, String name) {
    JsonNode value = json.path(name);
    return value.isTextual() ? value.asText() : null;
  }

  private static @Nullable Long number(JsonNode json, String name) {
    JsonNode value = json.path(name);
    return value.isNumber() ? value.asLong() : null;
  }
}
