package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.EDITOR;
import static io.lazuli.server.console.session.Role.OPERATOR;
import static io.lazuli.server.console.session.Role.READER;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.json.PageTokens;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Response;
import io.lazuli.server.queue.model.QueueErrors;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.model.QueueName;
import io.lazuli.server.queue.service.QueueBrowser;
import io.lazuli.server.queue.service.QueueBrowser.Counts;
import io.lazuli.server.queue.service.QueueBrowser.PageRequest;
import io.lazuli.server.queue.service.QueueBrowser.State;
import io.lazuli.server.queue.service.QueueOperation.ClearMessages;
import io.lazuli.server.queue.service.QueueOperation.CreateQueue;
import io.lazuli.server.queue.service.QueueOperation.DeleteMessage;
import io.lazuli.server.queue.service.QueueOperation.DeleteQueue;
import io.lazuli.server.queue.service.QueueOperation.ListQueues;
import io.lazuli.server.queue.service.QueueOperation.PutMessage;
import io.lazuli.server.queue.service.QueueOperation.UpdateMessage;
import io.lazuli.server.queue.service.QueueOutcome.ListedQueue;
import io.lazuli.server.queue.service.QueueOutcome.MessagePut;
import io.lazuli.server.queue.service.QueueOutcome.MessageUpdated;
import io.lazuli.server.queue.service.QueueOutcome.QueueCreated;
import io.lazuli.server.queue.service.QueueOutcome.QueuePage;
import io.lazuli.server.queue.service.QueueService;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The routes about queues and their messages. Nothing that they show is taken from a queue. */
public final class QueueRoutes {
  /** The maximum number of messages that one request requeues. */
  public static final int REQUEUED_MAX = 100;

  private static final int BODY_CHARS_MAX = 16 << 10;
  private static final int TEXT_BYTES_MAX = 64 << 10;
  private static final long WEEK_SECONDS = 604_800;

  private final QueueService service;
  private final QueueBrowser browser;
  private final PageTokens tokens;

  public QueueRoutes(QueueService service, QueueBrowser browser, PageTokens tokens) {
    this.service = service;
    this.browser = browser;
    this.tokens = tokens;
  }

  public List<Route> routes() {
    String queues = "/accounts/{a}/queues";
    String queue = queues + "/{q}";
    return List.of(
        Route.of("queues", "GET " + queues, READER, this::list),
        Route.of("create-queue", "POST " + queues, EDITOR, this::create),
        Route.of("delete-queue", "DELETE " + queue, EDITOR, this::delete),
        Route.of("messages", "GET " + queue + "/messages", READER, this::messages),
        Route.of("message", "GET " + queue + "/message", READER, this::message),
        Route.of("put-message", "POST " + queue + "/messages", EDITOR, this::put),
        Route.of("delete-message", "DELETE " + queue + "/message", EDITOR, this::remove),
        Route.of("show-message", "POST " + queue + "/message/visible", OPERATOR, this::show),
        Route.of("requeue", "POST " + queue + "/requeue", OPERATOR, this::requeue),
        Route.of("purge", "POST " + queue + "/purge", OPERATOR, this::purge));
  }

  private static QueueName queue(Call call) {
    return QueueName.require(call.name("q"));
  }

  private CompletionStage<Response> list(Call call) {
    String prefix = call.parameter("prefix", "");
    List<String> scope = List.of("queues", call.account(), prefix);
    String after = call.parameter("after");
    String from =
        after == null ? "" : new String(tokens.read(scope, after), StandardCharsets.UTF_8);
    return service
        .execute(new ListQueues(prefix, from, call.limit()), call.caller(), call.deadline())
        .thenApply(QueuePage.class::cast)
        .thenCompose(
            page ->
                totals(call, page.queues())
                    .thenApply((List<@Nullable Long> totals) -> listed(page, totals, scope)));
  }

  private CompletableFuture<List<@Nullable Long>> totals(Call call, List<ListedQueue> queues) {
    List<CompletableFuture<@Nullable Long>> all = new ArrayList<>();
    for (ListedQueue queue : queues) {
      all.add(
          browser
              .total(call.account(), new QueueName(queue.name()), call.deadline())
              .<@Nullable Long>thenApply(total -> total)
              .toCompletableFuture()
              .exceptionally(gone -> null));
    }
    return Futures.all(all);
  }

  private Response listed(QueuePage page, List<@Nullable Long> totals, List<String> scope) {
    String next = page.next();
    return JsonOut.answer(
        200,
        json -> {
          json.writeArrayFieldStart("rows");
          for (int i = 0; i < page.queues().size(); i++) {
            json.writeStartObject();
            json.writeStringField("name", page.queues().get(i).name());
            JsonOut.count(json, "messages", totals.get(i), true);
            json.writeEndObject();
          }
          json.writeEndArray();
          JsonOut.text(
              json,
              "next",
              next == null ? null : tokens.write(scope, next.getBytes(StandardCharsets.UTF_8)));
        });
  }

  private CompletionStage<Response> create(Call call) {
    QueueName name = QueueName.require(call.json("name").requireText("name"));
    return service
        .execute(new CreateQueue(name, Metadata.NONE), call.caller(), call.deadline())
        .thenApply(
            made ->
                JsonOut.answer(
                    ((QueueCreated) made).made() ? 201 : 200,
                    json -> json.writeStringField("name", name.text())));
  }

  private CompletionStage<Response> delete(Call call) {
    return service
        .execute(new DeleteQueue(queue(call)), call.caller(), call.deadline())
        .thenApply(gone -> Response.of(204).build());
  }

  private CompletionStage<Response> messages(Call call) {
    QueueName queue = queue(call);
    String contains = call.parameter("contains", "");
    State state = state(call.parameter("state", "all"));
    List<String> scope = List.of("messages", call.account(), queue.text(), state.name(), contains);
    String after = call.parameter("after");
    Bytes from = after == null ? null : Bytes.of(tokens.read(scope, after));
    PageRequest asked =
        new PageRequest(
            state,
            contains.isEmpty() ? null : contains,
            from,
            call.limit(),
            QueryRoutes.PAGE_BYTES_MAX,
            QueryRoutes.PAGE_TIME_MAX);
    CompletionStage<@Nullable Counts> counts =
        from == null
            ? browser
                .counts(call.account(), queue, call.deadline())
                .<@Nullable Counts>thenApply(found -> found)
            : CompletableFuture.completedFuture(null);
    return counts.thenCompose(
        counted ->
            browser
                .page(call.account(), queue, asked, call.deadline())
                .thenApply(page -> shown(page, counted, scope)));
  }

  private static State state(String text) {
    for (State state : State.values()) {
      if (state.name().toLowerCase(Locale.ROOT).equals(text)) {
        return state;
      }
    }
    throw ConsoleErrors.badRequest("The state is all, visible, hidden or expired.");
  }

  private Response shown(QueueBrowser.Page page, @Nullable Counts counts, List<String> scope) {
    Bytes next = page.next();
    return JsonOut.answer(
        200,
        json -> {
          if (counts == null) {
            json.writeNullField("counts");
          } else {
            json.writeObjectFieldStart("counts");
            count(json, "visible", counts.visible());
            count(json, "hidden", counts.hidden());
            count(json, "expired", counts.expired());
            json.writeEndObject();
          }
          json.writeArrayFieldStart("rows");
          for (QueueMessage message : page.messages()) {
            json.writeStartObject();
            write(json, message, page.now(), false);
            json.writeEndObject();
          }
          json.writeEndArray();
          JsonOut.text(json, "next", next == null ? null : tokens.write(scope, next.array()));
          json.writeNumberField("scanned", page.scanned());
        });
  }

  private static void count(JsonGenerator json, String name, QueueBrowser.Count count)
      throws IOException {
    JsonOut.count(json, name, count.n(), count.exact());
  }

  private static void write(JsonGenerator json, QueueMessage message, long now, boolean whole)
      throws IOException {
    String body = new String(message.text(), StandardCharsets.UTF_8);
    boolean cut = !whole && body.length() > BODY_CHARS_MAX;
    json.writeStringField("id", message.id().toString());
    json.writeStringField(
        "state",
        message.isExpired(now) ? "expired" : message.isVisible(now) ? "visible" : "hidden");
    json.writeStringField("inserted", time(message.inserted()));
    json.writeStringField("visible", time(message.visibleAt()));
    JsonOut.text(
        json, "expires", message.expires() == QueueMessage.NEVER ? null : time(message.expires()));
    json.writeNumberField("taken", message.dequeueCount());
    json.writeNumberField("bytes", message.text().length);
    json.writeStringField("body", cut ? body.substring(0, BODY_CHARS_MAX) : body);
    json.writeBooleanField("cut", cut);
  }

  private static String time(long ticks) {
    return Ticks.toInstant(ticks).toString();
  }

  private Response shown(int status, QueueMessage message) {
    long now = browser.now();
    return JsonOut.answer(status, json -> write(json, message, now, true));
  }

  private static UUID id(String text) {
    try {
      UUID id = UUID.fromString(text);
      if (id.toString().equalsIgnoreCase(text)) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      throw QueueErrors.MESSAGE_NOT_FOUND.exception();
    }
    throw QueueErrors.MESSAGE_NOT_FOUND.exception();
  }

  private CompletionStage<QueueMessage> require(Call call, String id) {
    return browser
        .find(call.account(), queue(call), id(id), call.deadline())
        .thenApply(
            found -> {
              if (found == null) {
                throw QueueErrors.MESSAGE_NOT_FOUND.exception();
              }
              return found;
            });
  }

  private CompletionStage<Response> message(Call call) {
    return require(call, call.require("id")).thenApply(found -> shown(200, found));
  }

  private CompletionStage<Response> put(Call call) {
    JsonBody body = call.json("body", "hiddenSeconds", "ttlSeconds");
    byte[] text = body.requireText("body").getBytes(StandardCharsets.UTF_8);
    if (text.length > TEXT_BYTES_MAX) {
      throw ConsoleErrors.badRequest("A message has at most 64 KiB.");
    }
    long hidden = body.number("hiddenSeconds", 0);
    boolean never = body.has("ttlSeconds") && body.number("ttlSeconds", -1) == -1;
    long ttl = body.number("ttlSeconds", WEEK_SECONDS);
    if (hidden < 0 || hidden > WEEK_SECONDS || (!never && (ttl < 1 || ttl > Integer.MAX_VALUE))) {
      throw ConsoleErrors.badRequest("The times of the message are out of range.");
    }
    return service
        .execute(
            new PutMessage(
                queue(call),
                text,
                never ? null : Duration.ofSeconds(ttl),
                Duration.ofSeconds(hidden)),
            call.caller(),
            call.deadline())
        .thenApplyAsync(put -> shown(201, ((MessagePut) put).message()), call.workers());
  }

  private CompletionStage<Response> remove(Call call) {
    return require(call, call.require("id"))
        .thenCompose(found -> remove(call, found))
        .thenApply(done -> Response.of(204).build());
  }

  private CompletionStage<?> remove(Call call, QueueMessage found) {
    return changing(
        service.execute(
            new DeleteMessage(queue(call), found.id().toString(), found.receipt().text()),
            call.caller(),
            call.deadline()));
  }

  /** A receipt of a state that was just read is wrong only if somebody changed the message. */
  private static <T> CompletionStage<T> changing(CompletionStage<T> stage) {
    return stage.exceptionally(
        failure -> {
          Throwable cause = Futures.cause(failure);
          if (cause instanceof ServiceException refusal && refusal.error().status() == 400) {
            throw ConsoleErrors.MESSAGE_CHANGED.exception();
          }
          throw new CompletionException(cause);
        });
  }

  private CompletionStage<Response> show(Call call) {
    return require(call, call.require("id"))
        .thenCompose(
            found ->
                changing(
                    service.execute(
                        new UpdateMessage(
                            queue(call),
                            found.id().toString(),
                            found.receipt().text(),
                            Duration.ZERO,
                            null),
                        call.caller(),
                        call.deadline())))
        .thenApplyAsync(done -> shown(200, ((MessageUpdated) done).message()), call.workers());
  }

  private CompletionStage<Response> requeue(Call call) {
    JsonBody body = call.json("to", "ids");
    QueueName to = QueueName.require(body.requireText("to"));
    List<String> ids = body.texts("ids");
    if (ids != null && ids.size() > REQUEUED_MAX) {
      throw ConsoleErrors.badRequest("One request requeues at most 100 messages.");
    }
    CompletionStage<List<@Nullable QueueMessage>> chosen =
        ids == null ? firstVisible(call) : named(call, ids);
    return chosen
        .thenCompose(
            messages ->
                Futures.all(messages.stream().map(message -> move(call, message, to)).toList()))
        .thenComposeAsync(
            moved ->
                browser
                    .total(call.account(), queue(call), call.deadline())
                    .thenApply(
                        left ->
                            JsonOut.answer(
                                200,
                                json -> {
                                  json.writeNumberField(
                                      "moved", moved.stream().filter(done -> done).count());
                                  json.writeBooleanField("left", left > 0);
                                })),
            call.workers());
  }

  private CompletionStage<List<@Nullable QueueMessage>> named(Call call, List<String> ids) {
    return Futures.all(
        ids.stream()
            .map(
                id ->
                    browser
                        .find(call.account(), queue(call), id(id), call.deadline())
                        .toCompletableFuture())
            .toList());
  }

  private CompletionStage<List<@Nullable QueueMessage>> firstVisible(Call call) {
    PageRequest asked =
        new PageRequest(
            State.VISIBLE, null, null, REQUEUED_MAX, Long.MAX_VALUE, QueryRoutes.PAGE_TIME_MAX);
    return browser
        .page(call.account(), queue(call), asked, call.deadline())
        .thenApply(page -> new ArrayList<@Nullable QueueMessage>(page.messages()));
  }

  /** Puts a copy into another queue, then deletes the message; false if it was changed. */
  private CompletableFuture<Boolean> move(Call call, @Nullable QueueMessage message, QueueName to) {
    if (message == null || message.isExpired(browser.now())) {
      return CompletableFuture.completedFuture(false);
    }
    long left = message.expires() - browser.now();
    Duration ttl =
        message.expires() == QueueMessage.NEVER
            ? null
            : Duration.ofSeconds(Math.max(1, left / Ticks.PER_SECOND));
    return service
        .execute(
            new PutMessage(to, message.text(), ttl, Duration.ZERO), call.caller(), call.deadline())
        .thenComposeAsync(
            put -> remove(call, message).handle((done, failure) -> failure == null), call.workers())
        .toCompletableFuture();
  }

  private CompletionStage<Response> purge(Call call) {
    QueueName queue = queue(call);
    if (!queue.text().equals(call.json("name").requireText("name"))) {
      throw ConsoleErrors.badRequest("The name is not that of the queue. Nothing was removed.");
    }
    return service
        .execute(new ClearMessages(queue), call.caller(), call.deadline())
        .thenApply(done -> Response.of(204).build());
  }
}
