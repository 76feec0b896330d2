package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.EDITOR;
import static io.lazuli.server.console.session.Role.READER;

import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Response;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.StoredEntity;
import io.lazuli.server.table.service.TableOperation.FindEntity;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableOutcome;
import io.lazuli.server.table.service.TableOutcome.EntityFound;
import io.lazuli.server.table.service.TableOutcome.Refused;
import io.lazuli.server.table.service.TableOutcome.Written;
import io.lazuli.server.table.service.TableService;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The routes that read and change entities. A refused condition answers with what is stored. */
public final class EntityRoutes {
  /** The maximum number of changes of a transaction. */
  public static final int CHANGES_MAX = 100;

  private static final int CONDITION_FAILED = 412;

  private final TableService service;

  public EntityRoutes(TableService service) {
    this.service = service;
  }

  public List<Route> routes() {
    String entities = "/accounts/{a}/tables/{t}/entities";
    return List.of(
        Route.of("entity", "GET " + entities, READER, this::find),
        Route.of("insert-entity", "POST " + entities, EDITOR, this::insert),
        Route.of("replace-entity", "PUT " + entities, EDITOR, call -> change(call, "replace")),
        Route.of("merge-entity", "PATCH " + entities, EDITOR, call -> change(call, "merge")),
        Route.of("delete-entity", "DELETE " + entities, EDITOR, call -> change(call, "delete")),
        Route.of(
            "transaction", "POST /accounts/{a}/tables/{t}/transaction", EDITOR, this::transaction));
  }

  private static EntityKey key(Call call) {
    return new EntityKey(call.require("pk"), call.require("rk"));
  }

  private CompletionStage<Response> find(Call call) {
    return stored(call, key(call))
        .thenApply(
            found -> {
              if (found == null) {
                throw CommonErrors.RESOURCE_NOT_FOUND.exception();
              }
              return row(200, found);
            });
  }

  private CompletionStage<@Nullable StoredEntity> stored(Call call, EntityKey key) {
    return service
        .execute(
            new FindEntity(TableRoutes.table(call), key, Filter.ALL),
            call.caller(),
            call.deadline())
        .<@Nullable StoredEntity>thenApply(outcome -> ((EntityFound) outcome).entity())
        .exceptionally(
            failure -> {
              Throwable cause = Futures.cause(failure);
              if (cause instanceof ServiceException refusal
                  && refusal.error().equals(CommonErrors.RESOURCE_NOT_FOUND)) {
                return null;
              }
              throw new CompletionException(cause);
            });
  }

  private static Response row(int status, StoredEntity entity) {
    return JsonOut.answer(status, json -> EntityJson.fields(json, entity, null, true));
  }

  private CompletionStage<Response> insert(Call call) {
    JsonBody body = call.json("k", "v");
    EntityKey key = key(body);
    EntityLimits.checkBodyKey("PartitionKey", key.partitionKey());
    EntityLimits.checkBodyKey("RowKey", key.rowKey());
    return write(
        call,
        List.of(new EntityWrite.Insert(key, EntityJson.properties(body.map("v")))),
        written -> row(201, written.get(0)));
  }

  private CompletionStage<Response> change(Call call, String op) {
    EntityKey key = key(call);
    IfMatch condition = IfMatch.parse(call.requireHeader("If-Match"));
    JsonBody body = op.equals("delete") ? call.json() : call.json("v");
    EntityWrite write = write(op, key, condition, body);
    return write(
        call,
        List.of(write),
        written -> op.equals("delete") ? Response.of(204).build() : row(200, written.get(0)));
  }

  private static EntityWrite write(String op, EntityKey key, IfMatch condition, JsonBody body) {
    EntityLimits.checkPathKey(key.partitionKey());
    EntityLimits.checkPathKey(key.rowKey());
    return switch (op) {
      case "insert" -> new EntityWrite.Insert(key, EntityJson.properties(body.map("v")));
      case "replace" ->
          new EntityWrite.Replace(key, EntityJson.properties(body.map("v")), condition);
      case "merge" -> new EntityWrite.Merge(key, EntityJson.properties(body.map("v")), condition);
      case "delete" -> new EntityWrite.Delete(key, condition);
      default -> throw ConsoleErrors.badRequest("A change is insert, replace, merge or delete.");
    };
  }

  private static EntityKey key(JsonBody body) {
    List<String> key = body.texts("k");
    if (key == null || key.size() != 2) {
      throw ConsoleErrors.badRequest("The field k must have both keys.");
    }
    return new EntityKey(key.get(0), key.get(1));
  }

  private CompletionStage<Response> transaction(Call call) {
    List<JsonBody> changes = call.json("changes").objects("changes", Set.of("op", "k", "e", "v"));
    if (changes.isEmpty() || changes.size() > CHANGES_MAX) {
      throw ConsoleErrors.badRequest("A transaction has 1 to 100 changes.");
    }
    List<EntityWrite> writes = new ArrayList<>();
    for (JsonBody change : changes) {
      String op = change.requireText("op");
      IfMatch condition =
          op.equals("insert") ? IfMatch.NONE : IfMatch.parse(change.requireText("e"));
      writes.add(write(op, key(change), condition, change));
    }
    return write(
        call,
        writes,
        written ->
            JsonOut.answer(
                200,
                json -> {
                  json.writeArrayFieldStart("rows");
                  for (int i = 0; i < writes.size(); i++) {
                    if (writes.get(i) instanceof EntityWrite.Delete) {
                      json.writeNull();
                    } else {
                      EntityJson.row(json, written.get(i), null, true);
                    }
                  }
                  json.writeEndArray();
                }));
  }

  /** Makes the answer to writes that took place. */
  private interface Success {
    Response answer(List<StoredEntity> written);
  }

  private CompletionStage<Response> write(Call call, List<EntityWrite> writes, Success success) {
    return service
        .execute(new WriteEntities(TableRoutes.table(call), writes), call.caller(), call.deadline())
        // Not on the engine's thread, because what follows reads or encodes.
        .thenComposeAsync(outcome -> answer(call, writes, outcome, success), call.workers());
  }

  private CompletionStage<Response> answer(
      Call call, List<EntityWrite> writes, TableOutcome outcome, Success success) {
    if (outcome instanceof Written written) {
      return CompletableFuture.completedFuture(success.answer(written.entities()));
    }
    Refused refused = (Refused) outcome;
    ServiceException reason = refused.reason();
    if (reason.error().status() != CONDITION_FAILED
        && !reason.error().equals(CommonErrors.RESOURCE_NOT_FOUND)) {
      return CompletableFuture.completedFuture(refusal(refused, writes.size(), null, false));
    }
    return stored(call, writes.get(refused.index()).key())
        .thenApply(stored -> refusal(refused, writes.size(), stored, true));
  }

  /**
   * Answers that nothing was written. A condition on an entity that is gone is not met either, so
   * that the console has one case.
   */
  private static Response refusal(
      Refused refused, int changes, @Nullable StoredEntity stored, boolean condition) {
    ServiceException reason = refused.reason();
    return JsonOut.answer(
        condition ? CONDITION_FAILED : reason.error().status(),
        json -> {
          json.writeStringField(
              "code", condition ? "UpdateConditionNotSatisfied" : reason.error().code());
          json.writeStringField(
              "message",
              condition
                  ? "Somebody changed this entity after you read it. Nothing was written."
                  : reason.text());
          json.writeBooleanField("retry", false);
          if (changes > 1) {
            json.writeNumberField("index", refused.index());
          }
          if (condition && stored == null) {
            json.writeNullField("stored");
          } else if (stored != null) {
            json.writeFieldName("stored");
            EntityJson.row(json, stored, null, true);
          }
        });
  }
}
