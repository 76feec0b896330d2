package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.EDITOR;
import static io.lazuli.server.console.session.Role.READER;

import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.json.PageTokens;
import io.lazuli.server.error.Futures;
import io.lazuli.server.http.Response;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.explain.TableSizes;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.service.TableBrowser;
import io.lazuli.server.table.service.TableOperation.CreateTable;
import io.lazuli.server.table.service.TableOperation.DeleteTable;
import io.lazuli.server.table.service.TableOperation.QueryTables;
import io.lazuli.server.table.service.TableOutcome.TablePage;
import io.lazuli.server.table.service.TableService;
import io.lazuli.storage.Position;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The routes about tables, their columns and their keys. */
public final class TableRoutes {
  private static final int KEYS_MAX = 100;
  private static final int KEYS = 20;

  private final TableService service;
  private final TableBrowser browser;
  private final PageTokens tokens;

  public TableRoutes(TableService service, TableBrowser browser, PageTokens tokens) {
    this.service = service;
    this.browser = browser;
    this.tokens = tokens;
  }

  public List<Route> routes() {
    String tables = "/accounts/{a}/tables";
    return List.of(
        Route.of("tables", "GET " + tables, READER, this::list),
        Route.of("create-table", "POST " + tables, EDITOR, this::create),
        Route.of("delete-table", "DELETE " + tables + "/{t}", EDITOR, this::delete),
        Route.of("columns", "GET " + tables + "/{t}/columns", READER, this::columns),
        Route.of("keys", "GET " + tables + "/{t}/keys", READER, this::keys),
        Route.of("near", "GET " + tables + "/{t}/near", READER, this::near));
  }

  static TableName table(Call call) {
    return TableName.of(call.name("t"));
  }

  private CompletionStage<Response> list(Call call) {
    String prefix = call.parameter("prefix", "").toLowerCase(Locale.ROOT);
    List<String> scope = List.of("tables", call.account(), prefix);
    String after = call.parameter("after");
    String from =
        after == null ? prefix : new String(tokens.read(scope, after), StandardCharsets.UTF_8);
    int limit = call.limit();
    return service
        .execute(new QueryTables(Filter.ALL, limit, from), call.caller(), call.deadline())
        .thenApply(TablePage.class::cast)
        .thenCompose(
            page -> {
              List<String> names =
                  page.names().stream()
                      .filter(name -> name.toLowerCase(Locale.ROOT).startsWith(prefix))
                      .toList();
              String next = page.next();
              String token =
                  next != null && next.startsWith(prefix)
                      ? tokens.write(scope, next.getBytes(StandardCharsets.UTF_8))
                      : null;
              return sizes(call, names)
                  .thenApply(
                      (List<TableSizes.@Nullable Size> sizes) -> answer(names, sizes, token));
            });
  }

  private CompletableFuture<List<TableSizes.@Nullable Size>> sizes(Call call, List<String> names) {
    List<CompletableFuture<TableSizes.@Nullable Size>> all = new ArrayList<>();
    for (String name : names) {
      all.add(
          browser
              .knownSize(call.account(), TableName.of(name), call.deadline())
              .toCompletableFuture()
              .exceptionally(gone -> null));
    }
    return Futures.all(all);
  }

  private static Response answer(
      List<String> names, List<TableSizes.@Nullable Size> sizes, @Nullable String next) {
    return JsonOut.answer(
        200,
        json -> {
          json.writeArrayFieldStart("rows");
          for (int i = 0; i < names.size(); i++) {
            TableSizes.Size size = sizes.get(i);
            json.writeStartObject();
            json.writeStringField("name", names.get(i));
            json.writeObjectFieldStart("entities");
            if (size == null) {
              json.writeNullField("n");
            } else {
              json.writeNumberField("n", size.entities());
            }
            json.writeBooleanField("exact", false);
            if (size != null) {
              json.writeNumberField("age", size.ageSeconds());
            }
            json.writeEndObject();
            json.writeEndObject();
          }
          json.writeEndArray();
          JsonOut.text(json, "next", next);
        });
  }

  private CompletionStage<Response> create(Call call) {
    JsonBody body = call.json("name");
    TableName table = TableName.require(body.requireText("name"));
    return service
        .execute(new CreateTable(table), call.caller(), call.deadline())
        .thenApply(
            made -> JsonOut.answer(201, json -> json.writeStringField("name", table.text())));
  }

  private CompletionStage<Response> delete(Call call) {
    return service
        .execute(new DeleteTable(table(call)), call.caller(), call.deadline())
        .thenApply(gone -> Response.of(204).build());
  }

  private CompletionStage<Response> columns(Call call) {
    return browser
        .glance(call.account(), table(call), Filter.ALL, null, call.deadline())
        .thenApply(
            glance ->
                JsonOut.answer(
                    200,
                    json -> {
                      QueryJson.columns(json, glance.look());
                      json.writeNumberField(
                          "sampled", glance.look() == null ? 0 : glance.look().readCount());
                      json.writeNumberField("age", 0);
                    }));
  }

  private CompletionStage<Response> keys(Call call) {
    String text = call.parameter("limit");
    int limit =
        text == null ? KEYS : text.matches("\\d{1,3}") ? Integer.parseInt(text) : KEYS_MAX + 1;
    if (limit < 1 || limit > KEYS_MAX) {
      throw ConsoleErrors.badRequest("The limit must be 1 to 100.");
    }
    return browser
        .keys(
            call.account(),
            table(call),
            call.parameter("pk"),
            call.parameter("prefix", ""),
            limit,
            call.deadline())
        .thenApply(
            keys ->
                JsonOut.answer(
                    200,
                    json -> {
                      json.writeArrayFieldStart("keys");
                      for (String key : keys.subList(0, Math.min(limit, keys.size()))) {
                        json.writeString(key);
                      }
                      json.writeEndArray();
                      json.writeBooleanField("more", keys.size() > limit);
                    }));
  }

  private CompletionStage<Response> near(Call call) {
    String text = call.require("share");
    if (!text.matches("[01](\\.\\d{1,9})?") || Double.parseDouble(text) > 1) {
      throw ConsoleErrors.badRequest("The share must be 0 to 1.");
    }
    return browser
        .near(call.account(), table(call), Double.parseDouble(text), call.deadline())
        .thenApply(
            found ->
                JsonOut.answer(
                    200,
                    json -> {
                      if (found == null) {
                        json.writeNullField("k");
                        json.writeNullField("after");
                      } else {
                        json.writeArrayFieldStart("k");
                        json.writeString(text(found.partition().array()));
                        json.writeString(text(found.row().array()));
                        json.writeEndArray();
                        json.writeStringField("after", token(call, found));
                      }
                      json.writeBooleanField("exact", false);
                    }));
  }

  /** Returns a token for a query without a filter that begins at a key. */
  private String token(Call call, Position at) {
    return tokens.write(QueryRoutes.scope(call, "", null), QueryRoutes.bytes(at));
  }

  private static String text(byte[] key) {
    return Utf8.decode(key, 0, key.length);
  }
}
