package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.READER;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.http.Response;
import io.lazuli.server.load.Load;
import io.lazuli.server.load.Sizes;
import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.size.Measured;
import io.lazuli.server.load.size.SpaceSize;
import io.lazuli.server.load.usage.Usage;
import io.lazuli.server.load.usage.UsageQuery;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The route about costs: operations and stored bytes over time. It knows no prices; the browser
 * applies them. It waits for the store on threads of the console.
 */
public final class CostRoutes {
  private final Load load;
  private final Sizes sizes;
  private final Clock clock;

  public CostRoutes(Load load, Sizes sizes, Clock clock) {
    this.load = load;
    this.sizes = sizes;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(Route.of("cost", "GET /accounts/{a}/cost", READER, this::cost));
  }

  private CompletionStage<Response> cost(Call call) {
    UsageQuery query = query(call);
    sizes.request(call.account());
    Usage usage = load.usage(query);
    Measured latest = sizes.latest(call.account());
    boolean isDays = query.columnSeconds() == UsageQuery.DAY;
    Map<Long, Measured> days =
        isDays ? sizes.days(call.account(), query.from(), query.to()) : Map.of();
    return CompletableFuture.completedFuture(
        JsonOut.answer(
            200,
            json -> {
              json.writeStringField("from", text(query.from()));
              json.writeStringField("to", text(query.to()));
              json.writeNumberField("columnSeconds", query.columnSeconds());
              json.writeNumberField("columns", query.columns());
              rows(json, usage);
              stored(json, query, latest, days);
              json.writeObjectFieldStart("measured");
              JsonOut.text(json, "at", latest == null ? null : latest.at().toString());
              json.writeNumberField("seconds", latest == null ? 0 : latest.took().toMillis() / 1e3);
              json.writeBooleanField("running", sizes.isMeasuring(call.account()));
              json.writeEndObject();
            }));
  }

  private UsageQuery query(Call call) {
    String step = call.parameter("step", "day");
    int seconds = step.equals("hour") ? UsageQuery.HOUR : step.equals("day") ? UsageQuery.DAY : 0;
    if (seconds == 0) {
      throw ConsoleErrors.badRequest("The step must be hour or day.");
    }
    long now = clock.instant().getEpochSecond();
    long to = Times.seconds(call.parameter("to"), now);
    long from = Times.seconds(call.parameter("from"), to - (seconds * 30L));
    long first = Math.floorDiv(from, (long) seconds) * seconds;
    long columns = Math.floorDiv(to - first + seconds - 1, (long) seconds);
    if (to <= from || columns > UsageQuery.COLUMNS_MAX || first < 0) {
      throw ConsoleErrors.badRequest(
          "The window must end after its start and have at most "
              + UsageQuery.COLUMNS_MAX
              + " hours or days.");
    }
    return new UsageQuery(call.account(), first, (int) columns, seconds);
  }

  private static void rows(JsonGenerator json, Usage usage) throws IOException {
    json.writeObjectFieldStart("counted");
    JsonOut.text(json, "since", usage.since() == 0 ? null : text(usage.since()));
    JsonOut.text(json, "until", usage.since() == 0 ? null : text(usage.until()));
    json.writeBooleanField("complete", usage.complete());
    json.writeEndObject();
    json.writeArrayFieldStart("rows");
    for (Usage.Row row : usage.rows()) {
      json.writeStartObject();
      json.writeStringField("service", row.space().service());
      json.writeStringField("space", row.space().name());
      json.writeStringField("kind", row.kind().text());
      json.writeArrayFieldStart("operations");
      for (long operations : row.operations()) {
        json.writeNumber(operations);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void stored(
      JsonGenerator json, UsageQuery query, @Nullable Measured latest, Map<Long, Measured> days)
      throws IOException {
    json.writeArrayFieldStart("stored");
    Map<SpaceName, SpaceSize> shown = shown(latest, days);
    Map<SpaceName, Map<Long, Long>> history = new HashMap<>();
    days.forEach(
        (day, measured) ->
            measured
                .sizes()
                .forEach(
                    size ->
                        history
                            .computeIfAbsent(row(size, shown), missing -> new HashMap<>())
                            .merge(day, size.bytes(), Long::sum)));
    for (SpaceSize size : shown.values()) {
      json.writeStartObject();
      json.writeStringField("service", size.name().service());
      json.writeStringField("space", size.name().name());
      json.writeNumberField("items", size.items());
      json.writeNumberField("bytes", size.bytes());
      json.writeArrayFieldStart("history");
      Map<Long, Long> byDay = history.getOrDefault(size.name(), Map.of());
      for (int i = 0; i < query.columns() && !days.isEmpty(); i++) {
        long day = query.from() + (long) i * query.columnSeconds();
        // On a measured day, a name that is missing had nothing.
        if (days.containsKey(day)) {
          json.writeNumber(byDay.getOrDefault(day, 0L));
        } else {
          json.writeNull();
        }
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Returns the sizes now of the names that are or were the largest, and of the others. */
  private static Map<SpaceName, SpaceSize> shown(
      @Nullable Measured latest, Map<Long, Measured> days) {
    List<SpaceSize> now = latest == null ? List.of() : latest.sizes();
    Map<SpaceName, SpaceSize> largest = new TreeMap<>();
    Stream.concat(Stream.of(now), days.values().stream().map(Measured::sizes))
        .flatMap(List::stream)
        .forEach(size -> largest.merge(size.name(), size, (a, b) -> a.bytes() < b.bytes() ? b : a));
    Map<SpaceName, SpaceSize> shown = new TreeMap<>();
    SpaceSize.largest(List.copyOf(largest.values()), Usage.SPACES_MAX)
        .forEach(size -> shown.put(size.name(), new SpaceSize(size.name(), 0, 0)));
    for (SpaceSize size : now) {
      shown.merge(
          row(size, shown),
          size,
          (a, b) -> new SpaceSize(a.name(), a.items() + b.items(), a.bytes() + b.bytes()));
    }
    return shown;
  }

  /** Returns the row of a size: its own, or that of the others of its service. */
  private static SpaceName row(SpaceSize size, Map<SpaceName, SpaceSize> shown) {
    SpaceName name = size.name();
    return shown.containsKey(name) ? name : new SpaceName(name.account(), name.service(), "");
  }

  private static String text(long seconds) {
    return Instant.ofEpochSecond(seconds).toString();
  }
}
