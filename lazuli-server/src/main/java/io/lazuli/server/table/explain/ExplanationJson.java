package io.lazuli.server.table.explain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.lazuli.server.table.explain.Explanation.Advice;
import io.lazuli.server.table.explain.Explanation.Azure;
import io.lazuli.server.table.explain.Explanation.Figure;
import io.lazuli.server.table.explain.Explanation.Range;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Writes explanations as JSON, in ASCII, so that they also fit into a header. */
public final class ExplanationJson {
  /** The maximum characters of an explanation in a header. */
  public static final int HEADER_CHARS_MAX = 4 << 10;

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  /** How much is written: all, short lists and texts, or the figures alone. */
  private enum Detail {
    ALL(Integer.MAX_VALUE, Integer.MAX_VALUE),
    SOME(2, 120),
    LITTLE(0, 0);

    private final int rangesMax;
    private final int charsMax;

    Detail(int rangesMax, int charsMax) {
      this.rangesMax = rangesMax;
      this.charsMax = charsMax;
    }
  }

  private ExplanationJson() {}

  /** Writes a whole explanation. */
  public static String text(Explanation explanation) {
    return text(explanation, Detail.ALL);
  }

  /** Writes an explanation of a bounded length: what does not fit is shortened or left out. */
  public static String header(Explanation explanation) {
    for (Detail detail : Detail.values()) {
      String text = text(explanation, detail);
      if (text.length() <= HEADER_CHARS_MAX) {
        return text;
      }
    }
    throw new IllegalStateException("an explanation does not fit into a header");
  }

  private static String text(Explanation explanation, Detail detail) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      fields(explanation, detail, json);
      json.writeBooleanField("complete", true);
      json.writeNullField("soFar");
      json.writeNullField("error");
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString();
  }

  /** Writes the fields of an explanation into an object that is open. */
  public static void fields(Explanation explanation, JsonGenerator json) throws IOException {
    fields(explanation, Detail.ALL, json);
  }

  private static void fields(Explanation explained, Detail detail, JsonGenerator json)
      throws IOException {
    json.writeStringField("kind", explained.kind());
    text("headline", explained.headline(), detail, json);
    text("line", explained.line(), detail, json);
    json.writeObjectFieldStart("partitions");
    number("n", explained.partitions(), json);
    json.writeBooleanField("exact", explained.partitions() != null);
    json.writeEndObject();
    ranges(explained, detail, json);
    text("rest", explained.rest(), detail, json);
    text("restText", explained.restText(), detail, json);
    figure("read", explained.read(), json);
    figure("returned", explained.returned(), json);
    text("readText", explained.readText(), detail, json);
    text("basisText", explained.basisText(), detail, json);
    number("bytes", explained.bytes(), json);
    Double millis = explained.millis();
    if (millis == null) {
      json.writeNullField("millis");
    } else {
      json.writeNumberField("millis", millis);
    }
    Azure azure = explained.azure();
    json.writeObjectFieldStart("azure");
    json.writeStringField("kind", azure.kind());
    json.writeStringField("key", azure.key());
    text("text", azure.text(), detail, json);
    json.writeEndObject();
    advice(explained.advice(), detail, json);
    text("narrowed", explained.narrowed(), detail, json);
  }

  private static void ranges(Explanation explained, Detail detail, JsonGenerator json)
      throws IOException {
    json.writeArrayFieldStart("ranges");
    int shown = Math.min(explained.ranges().size(), detail.rangesMax);
    for (Range range : explained.ranges().subList(0, shown)) {
      json.writeStartObject();
      key("from", range.from(), detail, json);
      key("to", range.to(), detail, json);
      json.writeBooleanField("toIncluded", range.toIncluded());
      json.writeBooleanField("whole", range.whole());
      json.writeEndObject();
    }
    json.writeEndArray();
    int more = explained.moreRanges() + explained.ranges().size() - shown;
    json.writeNumberField("moreRanges", more);
  }

  private static void key(
      String name, Explanation.@Nullable Key key, Detail detail, JsonGenerator json)
      throws IOException {
    if (key == null) {
      json.writeNullField(name);
      return;
    }
    json.writeArrayFieldStart(name);
    json.writeString(cut(key.partition(), detail));
    String row = key.row();
    if (row == null) {
      json.writeNull();
    } else {
      json.writeString(cut(row, detail));
    }
    json.writeEndArray();
  }

  private static void figure(String name, Figure figure, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart(name);
    number("n", figure.n(), json);
    number("atLeast", figure.atLeast(), json);
    json.writeStringField("basis", figure.basis().text());
    number("age", figure.ageSeconds(), json);
    json.writeEndObject();
  }

  private static void advice(@Nullable Advice advice, Detail detail, JsonGenerator json)
      throws IOException {
    if (advice == null) {
      json.writeNullField("advice");
      return;
    }
    json.writeObjectFieldStart("advice");
    json.writeStringField("key", advice.key());
    text("text", advice.text(), detail, json);
    String pattern = advice.pattern();
    text("pattern", pattern, detail, json);
    text("page", pattern == null ? null : "docs/patterns/" + pattern + ".md", detail, json);
    text("code", advice.code(), detail, json);
    json.writeEndObject();
  }

  private static void number(String name, @Nullable Long value, JsonGenerator json)
      throws IOException {
    if (value == null) {
      json.writeNullField(name);
    } else {
      json.writeNumberField(name, value);
    }
  }

  private static void text(String name, @Nullable String text, Detail detail, JsonGenerator json)
      throws IOException {
    if (text == null || detail == Detail.LITTLE) {
      json.writeNullField(name);
    } else {
      json.writeStringField(name, cut(text, detail));
    }
  }

  private static String cut(String text, Detail detail) {
    return text.length() <= detail.charsMax ? text : text.substring(0, detail.charsMax) + "\u2026";
  }
}
