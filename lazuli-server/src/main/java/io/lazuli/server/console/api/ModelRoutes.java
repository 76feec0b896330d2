package io.lazuli.server.console.api;

import static io.lazuli.server.console.session.Role.EDITOR;
import static io.lazuli.server.console.session.Role.READER;

import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.console.model.ModelJson;
import io.lazuli.server.console.model.ModelStore;
import io.lazuli.server.console.model.ModelTrial;
import io.lazuli.server.console.model.ModelTrial.Tried;
import io.lazuli.server.design.AccessPlan;
import io.lazuli.server.design.GuideExamples;
import io.lazuli.server.design.Model;
import io.lazuli.server.design.Proposal;
import io.lazuli.server.design.Proposals;
import io.lazuli.server.design.trial.Trial;
import io.lazuli.server.http.Response;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The routes about models. They wait for the store on threads of the console. */
public final class ModelRoutes {
  private static final String NAME = "[A-Za-z][A-Za-z0-9 _-]{0,63}";
  private static final Set<String> STORED = Set.of("entities", "accesses", "tables");

  private final ModelStore store;
  private final ModelTrial trials;

  public ModelRoutes(ModelStore store, ModelTrial trials) {
    this.store = store;
    this.trials = trials;
  }

  public List<Route> routes() {
    String models = "/accounts/{a}/models";
    return List.of(
        Route.of("models", "GET " + models, READER, this::list),
        Route.of("model-examples", "GET /accounts/{a}/model-examples", READER, this::examples),
        Route.of("propose", "POST " + models + "/propose", READER, this::propose),
        Route.of("model", "GET " + models + "/{m}", READER, this::find),
        Route.of("store-model", "PUT " + models + "/{m}", EDITOR, this::put),
        Route.of("delete-model", "DELETE " + models + "/{m}", EDITOR, this::remove),
        Route.of("try-model", "POST " + models + "/{m}/try", EDITOR, this::attempt));
  }

  private static String name(Call call) {
    String name = call.name("m");
    if (!name.matches(NAME)) {
      throw ConsoleErrors.badRequest(
          "The name of a model has 1 to 64 letters, digits, spaces, hyphens and underscores, and"
              + " begins with a letter.");
    }
    return name;
  }

  private static CompletionStage<Response> answer(JsonOut.Fields fields) {
    return CompletableFuture.completedFuture(JsonOut.answer(200, fields));
  }

  private CompletionStage<Response> list(Call call) {
    List<String> names = store.names(call.account());
    return answer(
        json -> {
          json.writeArrayFieldStart("models");
          for (String name : names) {
            json.writeStartObject();
            json.writeStringField("name", name);
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private CompletionStage<Response> examples(Call call) {
    return answer(
        json -> {
          json.writeArrayFieldStart("examples");
          for (Map.Entry<String, GuideExamples.Example> each : GuideExamples.byName().entrySet()) {
            json.writeStartObject();
            json.writeStringField("name", each.getKey());
            json.writeStringField("section", each.getValue().section());
            ModelJson.write(json, each.getValue().entities(), each.getValue().accesses());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private CompletionStage<Response> propose(Call call) {
    JsonBody body = call.json("name", "entities", "accesses");
    String asked = body.text("name");
    String name = asked == null || !asked.matches(NAME) ? "Model" : asked;
    List<Proposal> proposals = Proposals.of(ModelJson.read(body).model());
    return answer(json -> ModelJson.proposals(json, name, proposals));
  }

  private JsonBody stored(Call call) {
    return JsonBody.parse(store.require(call.account(), name(call)), STORED);
  }

  private static Set<String> tables(JsonBody stored) {
    List<String> tables = stored.texts("tables");
    return new LinkedHashSet<>(tables == null ? List.of() : tables);
  }

  private static byte[] bytes(ModelJson.Draft draft, Set<String> tables) {
    byte[] bytes =
        JsonOut.bytes(
            json -> {
              ModelJson.write(json, draft.entities(), draft.accesses());
              json.writeArrayFieldStart("tables");
              for (String table : tables) {
                json.writeString(table);
              }
              json.writeEndArray();
            });
    if (bytes.length > ModelStore.MODEL_BYTES_MAX) {
      throw ConsoleErrors.badRequest("The model is larger than 60 KiB.");
    }
    return bytes;
  }

  private CompletionStage<Response> find(Call call) {
    JsonBody stored = stored(call);
    ModelJson.Draft draft = ModelJson.read(stored);
    Set<String> tables = tables(stored);
    return answer(
        json -> {
          json.writeStringField("name", name(call));
          ModelJson.write(json, draft.entities(), draft.accesses());
          json.writeArrayFieldStart("tables");
          for (String table : tables) {
            json.writeString(table);
          }
          json.writeEndArray();
        });
  }

  private CompletionStage<Response> put(Call call) {
    String name = name(call);
    ModelJson.Draft draft = ModelJson.read(call.json("entities", "accesses"));
    Model unused = draft.model();
    Set<String> tables =
        store.names(call.account()).contains(name) ? tables(stored(call)) : Set.of();
    store.put(call.account(), name, bytes(draft, tables));
    return CompletableFuture.completedFuture(Response.of(204).build());
  }

  private CompletionStage<Response> remove(Call call) {
    store.remove(call.account(), name(call));
    return CompletableFuture.completedFuture(Response.of(204).build());
  }

  private CompletionStage<Response> attempt(Call call) {
    String name = name(call);
    long number = call.json("proposal").number("proposal", 0);
    JsonBody stored = stored(call);
    ModelJson.Draft draft = ModelJson.read(stored);
    List<Proposal> proposals = Proposals.of(draft.model());
    if (number < 0 || number >= proposals.size()) {
      throw ConsoleErrors.badRequest("There is no proposal of this number.");
    }
    Trial trial = new Trial(name, proposals.get((int) number));
    Set<String> known = tables(stored);
    return trials
        .load(call.account(), trial, known, call.deadline())
        .thenComposeAsync(
            rows -> {
              Set<String> tables = new LinkedHashSet<>(known);
              tables.addAll(trial.tables());
              store.put(call.account(), name, bytes(draft, tables));
              return trials
                  .run(call.account(), trial, call.deadline())
                  .thenApply(tried -> tried(rows, trial.tables(), tried));
            },
            call.workers());
  }

  private static Response tried(int rows, Set<String> tables, List<Tried> tried) {
    return JsonOut.answer(
        200,
        json -> {
          json.writeNumberField("rows", rows);
          json.writeArrayFieldStart("tables");
          for (String table : tables) {
            json.writeString(table);
          }
          json.writeEndArray();
          json.writeArrayFieldStart("tried");
          for (Tried each : tried) {
            AccessPlan.Kind promised = each.plan().kind();
            json.writeStartObject();
            json.writeStringField("text", each.plan().access().text());
            json.writeStringField("table", each.table());
            json.writeStringField("filter", each.filter());
            JsonOut.text(json, "promised", promised == null ? null : promised.text());
            json.writeStringField("kind", each.kind());
            json.writeBooleanField("asPromised", each.isAsPromised());
            json.writeNumberField("read", each.read());
            json.writeNumberField("returned", each.returned());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
