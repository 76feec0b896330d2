package io.lazuli.server.console.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.table.explain.Explanation;
import io.lazuli.server.table.explain.ExplanationJson;
import io.lazuli.server.table.explain.Look;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.protocol.FilterCheck;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes columns, explanations and errors of filters. */
final class QueryJson {
  private QueryJson() {}

  /** Writes the columns that were seen, with their types and shares. */
  static void columns(JsonGenerator json, @Nullable Look look) throws IOException {
    json.writeArrayFieldStart("columns");
    if (look != null) {
      for (Map.Entry<String, Map<EdmType, Long>> column : look.types().entrySet()) {
        json.writeStartObject();
        json.writeStringField("name", column.getKey());
        json.writeArrayFieldStart("types");
        for (EdmType type : column.getValue().keySet()) {
          json.writeString(EntityJson.name(type));
        }
        json.writeEndArray();
        long with = column.getValue().values().stream().mapToLong(Long::longValue).sum();
        json.writeNumberField("share", Math.round(1000.0 * with / look.readCount()) / 1000.0);
        json.writeEndObject();
      }
    }
    json.writeEndArray();
  }

  /**
   * Writes the fields of an explanation.
   *
   * @param explanation null if the filter is wrong
   */
  static void explanation(JsonGenerator json, @Nullable Explanation explanation, FilterCheck check)
      throws IOException {
    if (explanation == null) {
      for (String name :
          new String[] {
            "kind", "headline", "line", "partitions", "ranges", "moreRanges", "rest", "restText",
            "read", "returned", "readText", "basisText", "bytes", "millis", "azure", "advice",
            "narrowed"
          }) {
        json.writeNullField(name);
      }
    } else {
      ExplanationJson.fields(explanation, json);
    }
    json.writeBooleanField("complete", check.isComplete());
    JsonOut.text(json, "soFar", check.soFar());
    problem(json, check.filter() == null ? check.problem() : null);
  }

  static void problem(JsonGenerator json, FilterCheck.@Nullable Problem problem)
      throws IOException {
    if (problem == null) {
      json.writeNullField("error");
      return;
    }
    json.writeObjectFieldStart("error");
    json.writeStringField("key", problem.key());
    json.writeStringField("text", problem.text());
    json.writeNumberField("from", problem.from());
    json.writeNumberField("to", problem.to());
    json.writeEndObject();
  }
}
