package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.OPERATOR;
import static io.lazuli.server.console.session.Role.READER;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Response;
import io.lazuli.server.load.Load;
import io.lazuli.server.load.map.HeatMap;
import io.lazuli.server.load.map.HeatMapQuery;
import io.lazuli.server.load.rule.Diagnosis;
import io.lazuli.server.load.rule.Evidence;
import io.lazuli.server.load.rule.Symptom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The routes about load. They wait for the store on threads of the console. */
public final class LoadRoutes {
  private static final int ROWS = 96;
  private static final int COLUMNS = 180;
  private static final long HOUR = 3_600;
  private static final int SILENCE_DAYS_MAX = 90;

  /** One of the quantities that are sent together. */
  private record Layer(String name, HeatMapQuery.Metric metric, HeatMapQuery.Side side) {}

  private static final List<Layer> LAYERS =
      List.of(
          new Layer("reads", HeatMapQuery.Metric.REQUESTS, HeatMapQuery.Side.READS),
          new Layer("writes", HeatMapQuery.Metric.REQUESTS, HeatMapQuery.Side.WRITES),
          new Layer("entitiesRead", HeatMapQuery.Metric.ENTITIES, HeatMapQuery.Side.READS),
          new Layer("entitiesWritten", HeatMapQuery.Metric.ENTITIES, HeatMapQuery.Side.WRITES),
          new Layer("bytesOut", HeatMapQuery.Metric.BYTES, HeatMapQuery.Side.READS),
          new Layer("bytesIn", HeatMapQuery.Metric.BYTES, HeatMapQuery.Side.WRITES));

  private final Load load;
  private final Clock clock;

  public LoadRoutes(Load load, Clock clock) {
    this.load = load;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.of("load", "GET /accounts/{a}/load", READER, this::map),
        Route.of("diagnoses", "GET /accounts/{a}/load/diagnoses", READER, this::diagnoses),
        Route.of("silence", "POST /accounts/{a}/load/diagnoses/silence", OPERATOR, this::silence));
  }

  private CompletionStage<Response> map(Call call) {
    if ("all".equals(call.parameter("metric", ""))) {
      HeatMapQuery any = query(call, HeatMapQuery.Metric.REQUESTS.name());
      List<HeatMap> maps =
          load.maps(any, LAYERS.stream().map(layer -> any.of(layer.metric, layer.side)).toList());
      return CompletableFuture.completedFuture(JsonOut.answer(200, json -> layers(json, maps)));
    }
    if ("apart".equals(call.parameter("side", ""))) {
      HeatMapQuery any = query(call, call.parameter("metric", "requests"));
      List<HeatMap> maps =
          load.maps(
              any,
              List.of(
                  any.of(any.metric(), HeatMapQuery.Side.READS),
                  any.of(any.metric(), HeatMapQuery.Side.WRITES)));
      return CompletableFuture.completedFuture(JsonOut.answer(200, json -> sides(json, maps)));
    }
    HeatMap map = load.map(query(call, call.parameter("metric", "requests")));
    return CompletableFuture.completedFuture(JsonOut.answer(200, json -> write(json, map)));
  }

  private HeatMapQuery query(Call call, String metric) {
    long now = clock.instant().getEpochSecond();
    long to = Times.seconds(call.parameter("to"), now);
    long from = Times.seconds(call.parameter("from"), to - HOUR);
    try {
      return new HeatMapQuery(
          call.account(),
          call.parameter("service", ""),
          call.parameter("space", ""),
          from,
          to,
          HeatMapQuery.Metric.valueOf(upper(metric)),
          side(call.parameter("side", "both")),
          number(call.parameter("rows"), ROWS),
          number(call.parameter("columns"), COLUMNS));
    } catch (IllegalArgumentException e) {
      throw ConsoleErrors.badRequest(
          "The window, the metric, the side or the size of the map is not possible.");
    }
  }

  private static HeatMapQuery.Side side(String text) {
    return text.equals("apart") ? HeatMapQuery.Side.BOTH : HeatMapQuery.Side.valueOf(upper(text));
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  private static int number(@Nullable String text, int otherwise) {
    return text == null ? otherwise : text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
  }

  private static void layers(JsonGenerator json, List<HeatMap> maps) throws IOException {
    head(json, maps.get(0));
    json.writeObjectFieldStart("layers");
    for (int i = 0; i < maps.size(); i++) {
      json.writeStringField(LAYERS.get(i).name, cells(maps.get(i)));
    }
    json.writeEndObject();
    gaps(json, maps.get(0));
  }

  private static void write(JsonGenerator json, HeatMap map) throws IOException {
    head(json, map);
    json.writeStringField("cells", cells(map));
    sum(json, "sum", map);
    json.writeNumberField("max", map.max());
    gaps(json, map);
  }

  private static void sides(JsonGenerator json, List<HeatMap> maps) throws IOException {
    head(json, maps.get(0));
    sum(json, "reads", maps.get(0));
    sum(json, "writes", maps.get(1));
    gaps(json, maps.get(0));
  }

  private static void sum(JsonGenerator json, String name, HeatMap map) throws IOException {
    json.writeArrayFieldStart(name);
    for (double sum : map.sum()) {
      json.writeNumber(sum);
    }
    json.writeEndArray();
  }

  private static String cells(HeatMap map) {
    ByteBuffer cells =
        ByteBuffer.allocate(map.cells().length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (float cell : map.cells()) {
      cells.putFloat(cell);
    }
    return Base64.getEncoder().encodeToString(cells.array());
  }

  private static void head(JsonGenerator json, HeatMap map) throws IOException {
    json.writeStringField("level", map.level());
    json.writeStringField("from", text(map.from()));
    json.writeNumberField("columnSeconds", map.columnSeconds());
    json.writeNumberField("columns", map.columns());
    json.writeArrayFieldStart("rows");
    for (HeatMap.Row row : map.rows()) {
      json.writeStartObject();
      json.writeStringField("service", row.space().service());
      json.writeStringField("space", row.space().name());
      json.writeStringField("from", row.from());
      json.writeStringField("to", row.to());
      json.writeBooleanField("about", row.about());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void gaps(JsonGenerator json, HeatMap map) throws IOException {
    json.writeArrayFieldStart("gaps");
    for (HeatMap.Gap gap : map.gaps()) {
      json.writeStartObject();
      json.writeStringField("server", gap.server());
      json.writeStringField("from", text(gap.from()));
      json.writeStringField("to", text(gap.to()));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static String text(long seconds) {
    return Instant.ofEpochSecond(seconds).toString();
  }

  private CompletionStage<Response> diagnoses(Call call) {
    List<Diagnosis> found = load.diagnoses(call.account());
    return CompletableFuture.completedFuture(
        JsonOut.answer(
            200,
            json -> {
              json.writeArrayFieldStart("diagnoses");
              for (Diagnosis one : found) {
                write(json, one);
              }
              json.writeEndArray();
            }));
  }

  private static void write(JsonGenerator json, Diagnosis one) throws IOException {
    Symptom symptom = one.symptom();
    Instant over = one.over();
    Instant silenced = one.silencedUntil();
    json.writeStartObject();
    json.writeStringField("id", one.id());
    json.writeStringField("kind", symptom.kind().key());
    json.writeStringField("title", symptom.kind().title());
    json.writeStringField("level", symptom.level().text());
    json.writeStringField("since", one.since().toString());
    JsonOut.text(json, "over", over == null ? null : over.toString());
    JsonOut.text(json, "silencedUntil", silenced == null ? null : silenced.toString());
    json.writeStringField("service", symptom.space().service());
    json.writeStringField("space", symptom.space().name());
    json.writeStringField("partition", symptom.partition());
    json.writeStringField("fact", symptom.fact());
    json.writeArrayFieldStart("evidence");
    for (Evidence evidence : symptom.evidence()) {
      json.writeStartObject();
      json.writeStringField("label", evidence.label());
      json.writeStringField("value", evidence.value());
      json.writeStringField("bound", evidence.bound());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringField("remedy", symptom.kind().remedy());
    json.writeStringField("pattern", symptom.kind().pattern());
    json.writeEndObject();
  }

  private CompletionStage<Response> silence(Call call) {
    JsonBody body = call.json("id", "days");
    String id = body.requireText("id");
    long days = body.number("days", 7);
    if (days < 1 || days > SILENCE_DAYS_MAX) {
      throw ConsoleErrors.badRequest("The days must be 1 to " + SILENCE_DAYS_MAX + ".");
    }
    boolean isOwn =
        load.diagnoses(call.account()).stream().anyMatch(diagnosis -> diagnosis.id().equals(id));
    if (!isOwn || !load.silence(id, (int) days)) {
      throw CommonErrors.RESOURCE_NOT_FOUND.exception();
    }
    return CompletableFuture.completedFuture(Response.of(204).build());
  }
}
