package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.READER;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.json.PageTokens;
import io.lazuli.server.http.Response;
import io.lazuli.server.table.explain.Explainer;
import io.lazuli.server.table.explain.Explanation;
import io.lazuli.server.table.protocol.FilterCheck;
import io.lazuli.server.table.protocol.ODataFilterParser;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.service.StoredEntity;
import io.lazuli.server.table.service.TableBrowser;
import io.lazuli.server.table.service.TableBrowser.Glance;
import io.lazuli.server.table.service.TableBrowser.Page;
import io.lazuli.server.table.service.TableBrowser.PageRequest;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The routes that run and explain queries. */
public final class QueryRoutes {
  /** The maximum characters of a filter. */
  public static final int FILTER_CHARS_MAX = 8 << 10;

  /** The stored bytes after which a page ends. */
  public static final long PAGE_BYTES_MAX = 1 << 20;

  /** The time after which a page ends. */
  public static final Duration PAGE_TIME_MAX = Duration.ofMillis(200);

  private final TableBrowser browser;
  private final PageTokens tokens;

  public QueryRoutes(TableBrowser browser, PageTokens tokens) {
    this.browser = browser;
    this.tokens = tokens;
  }

  public List<Route> routes() {
    String table = "/accounts/{a}/tables/{t}";
    return List.of(
        Route.of("query", "POST " + table + "/query", READER, this::query),
        Route.of("explain", "POST " + table + "/explain", READER, this::explain));
  }

  static List<String> scope(Call call, String filter, @Nullable String contains) {
    return List.of(
        "query",
        call.account(),
        TableRoutes.table(call).key(),
        filter,
        contains == null ? "" : "c" + contains);
  }

  private CompletionStage<Response> query(Call call) {
    JsonBody body = call.json("filter", "select", "limit", "after", "contains");
    String filter = filter(body);
    String contains = text(body.text("contains"));
    List<String> select = body.texts("select");
    int limit = Call.rows(body);
    String after = body.text("after");
    List<String> scope = scope(call, filter, contains);
    Position from = after == null ? null : position(tokens.read(scope, after));
    FilterCheck check = ODataFilterParser.check(filter);
    Filter parsed = check.filter();
    if (!check.isComplete() || parsed == null) {
      return CompletableFuture.completedFuture(refused(check));
    }
    long began = System.nanoTime();
    return browser
        .page(
            call.account(),
            TableRoutes.table(call),
            new PageRequest(parsed, contains, from, limit, PAGE_BYTES_MAX, PAGE_TIME_MAX),
            call.deadline())
        .thenApply(
            page -> {
              Position next = page.next();
              return JsonOut.answer(
                  200,
                  json ->
                      page(
                          json,
                          page,
                          check,
                          parsed,
                          contains != null,
                          select == null || select.isEmpty() ? null : new HashSet<>(select),
                          next == null ? null : tokens.write(scope, bytes(next)),
                          Math.round((System.nanoTime() - began) / 10_000.0) / 100.0));
            });
  }

  private static @Nullable String text(@Nullable String text) {
    return text == null || text.isEmpty() ? null : text;
  }

  private static void page(
      JsonGenerator json,
      Page page,
      FilterCheck check,
      Filter filter,
      boolean contains,
      @Nullable Set<String> select,
      @Nullable String next,
      double millis)
      throws IOException {
    QueryJson.columns(json, page.look());
    json.writeArrayFieldStart("rows");
    for (StoredEntity entity : page.entities()) {
      EntityJson.row(json, entity, select, false);
    }
    json.writeEndArray();
    JsonOut.text(json, "next", next);
    json.writeNumberField("scanned", page.look().readCount());
    json.writeNumberField("bytes", page.look().bytes());
    json.writeNumberField("servedIn", millis);
    json.writeObjectFieldStart("explain");
    Explanation explanation =
        Explainer.explain(
            new Explainer.Question(
                page.table(),
                filter,
                page.plan(),
                false,
                contains,
                false,
                page.look(),
                true,
                millis,
                null));
    QueryJson.explanation(json, explanation, check);
    json.writeEndObject();
  }

  private static Response refused(FilterCheck check) {
    FilterCheck.Problem problem = check.problem();
    return JsonOut.answer(
        400,
        json -> {
          json.writeStringField("code", "InvalidInput");
          json.writeStringField("message", problem == null ? "" : problem.text());
          json.writeBooleanField("retry", false);
          QueryJson.problem(json, problem);
        });
  }

  private CompletionStage<Response> explain(Call call) {
    JsonBody body = call.json("filter", "top", "contains");
    FilterCheck check = ODataFilterParser.check(filter(body));
    String contains = text(body.text("contains"));
    Filter parsed = check.filter();
    if (parsed == null) {
      return CompletableFuture.completedFuture(
          JsonOut.answer(200, json -> QueryJson.explanation(json, null, check)));
    }
    return browser
        .glance(call.account(), TableRoutes.table(call), parsed, contains, call.deadline())
        .thenApply(
            glance ->
                JsonOut.answer(
                    200,
                    json ->
                        QueryJson.explanation(
                            json, explanation(parsed, glance, contains != null), check)));
  }

  private static Explanation explanation(Filter filter, Glance glance, boolean contains) {
    return Explainer.explain(
        new Explainer.Question(
            glance.table(),
            filter,
            glance.plan(),
            false,
            contains,
            false,
            glance.look(),
            false,
            null,
            glance.size()));
  }

  private static String filter(JsonBody body) {
    String filter = body.text("filter");
    if (filter != null && filter.length() > FILTER_CHARS_MAX) {
      throw ConsoleErrors.badRequest("The filter is longer than 8,192 characters.");
    }
    return filter == null ? "" : filter;
  }

  /** Returns a position as the bytes of a token. */
  static byte[] bytes(Position at) {
    byte[] partition = at.partition().array();
    byte[] row = at.row().array();
    return ByteBuffer.allocate(4 + partition.length + row.length)
        .putInt(partition.length)
        .put(partition)
        .put(row)
        .array();
  }

  private static Position position(byte[] bytes) {
    try {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      byte[] partition = new byte[Math.min(in.getInt(), in.remaining())];
      in.get(partition);
      byte[] row = new byte[in.remaining()];
      in.get(row);
      return new Position(Bytes.of(partition), Bytes.of(row));
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      throw ConsoleErrors.INVALID_TOKEN.exception();
    }
  }
}
