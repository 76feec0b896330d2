package io.lazuli.server.console.model;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.server.design.AccessPlan;
import io.lazuli.server.design.Choice;
import io.lazuli.server.design.EntityType;
import io.lazuli.server.design.Keys;
import io.lazuli.server.design.Model;
import io.lazuli.server.design.Path;
import io.lazuli.server.design.Property;
import io.lazuli.server.design.Proposal;
import io.lazuli.server.design.TableDesign;
import io.lazuli.server.design.Type;
import io.lazuli.server.design.Warning;
import io.lazuli.server.design.code.JavaCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The JSON of models and proposals (docs/console-api.md). */
public final class ModelJson {
  private static final Set<String> ENTITY = Set.of("name", "count", "key", "properties");
  private static final Set<String> PROPERTY =
      Set.of("name", "type", "bytes", "unique", "distinct", "digits", "refersTo");

  private ModelJson() {}

  /** A model as it was written: entities, and sentences. */
  public record Draft(List<EntityType> entities, List<String> accesses) {
    /** Returns the model; throws if a sentence is wrong. */
    public Model model() {
      return Model.of(entities, accesses);
    }
  }

  /** Reads a model. */
  public static Draft read(JsonBody body) {
    List<EntityType> entities = new ArrayList<>();
    for (JsonBody entity : body.objects("entities", ENTITY)) {
      List<String> key = entity.texts("key");
      entities.add(
          new EntityType(
              entity.requireText("name"),
              entity.number("count", 1_000),
              key == null ? List.of() : key,
              entity.objects("properties", PROPERTY).stream().map(ModelJson::property).toList()));
    }
    List<String> accesses = body.texts("accesses");
    return new Draft(entities, accesses == null ? List.of() : accesses);
  }

  private static Property property(JsonBody body) {
    Type type = Type.of(body.requireText("type"));
    long digits = body.number("digits", 0);
    if (digits < 0 || digits > 18) {
      throw ConsoleErrors.badRequest("The digits must be 0 to 18.");
    }
    return new Property(
        body.requireText("name"),
        type,
        body.number("bytes", type.usualBytes()),
        body.flag("unique"),
        body.number("distinct", 0),
        (int) digits,
        body.text("refersTo"));
  }

  /** Writes the fields of a model. */
  public static void write(JsonGenerator json, List<EntityType> entities, List<String> accesses)
      throws IOException {
    json.writeArrayFieldStart("entities");
    for (EntityType entity : entities) {
      json.writeStartObject();
      json.writeStringField("name", entity.name());
      json.writeNumberField("count", entity.count());
      texts(json, "key", entity.key());
      json.writeArrayFieldStart("properties");
      for (Property property : entity.properties()) {
        json.writeStartObject();
        json.writeStringField("name", property.name());
        json.writeStringField("type", property.type().text());
        json.writeNumberField("bytes", property.bytes());
        json.writeBooleanField("unique", property.unique());
        json.writeNumberField("distinct", property.distinct());
        json.writeNumberField("digits", property.digits());
        JsonOut.text(json, "refersTo", property.refersTo());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    texts(json, "accesses", accesses);
  }

  static void texts(JsonGenerator json, String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  /** Writes proposals, the best first. */
  public static void proposals(JsonGenerator json, String model, List<Proposal> proposals)
      throws IOException {
    json.writeArrayFieldStart("proposals");
    for (Proposal proposal : proposals) {
      json.writeStartObject();
      json.writeStringField("title", proposal.title());
      json.writeStringField("why", proposal.why());
      json.writeNumberField("cost", rounded(proposal.cost()));
      json.writeNumberField("readPerReturned", rounded(proposal.readPerReturned()));
      json.writeNumberField("writtenPerChange", rounded(proposal.writtenPerChange()));
      json.writeArrayFieldStart("tables");
      for (TableDesign table : proposal.tables()) {
        table(json, table);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("patterns");
      for (Choice choice : proposal.choices()) {
        json.writeStartObject();
        json.writeStringField("section", choice.pattern().section());
        json.writeStringField("page", choice.pattern().page());
        json.writeStringField("entity", choice.entity());
        json.writeStringField("reason", choice.reason());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("warnings");
      for (Warning warning : proposal.warnings()) {
        json.writeStartObject();
        json.writeStringField("kind", warning.kind().text());
        json.writeStringField("entity", warning.entity());
        json.writeStringField("text", warning.text());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeStringField("file", JavaCode.className(model, proposal) + ".java");
      json.writeStringField("code", JavaCode.of(model, proposal));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void table(JsonGenerator json, TableDesign table) throws IOException {
    json.writeStartObject();
    json.writeStringField("entity", table.entity().name());
    json.writeStringField("table", table.table());
    json.writeStringField("storage", table.storage().name().toLowerCase(Locale.ROOT));
    json.writeNumberField("parts", table.parts());
    keys(json, table.keys());
    texts(json, "encoding", table.keys().encoding());
    json.writeArrayFieldStart("paths");
    for (Path path : table.paths()) {
      json.writeStartObject();
      json.writeStringField("name", path.name());
      json.writeStringField(
          "placement", path.placement().name().toLowerCase(Locale.ROOT).replace('_', ' '));
      json.writeStringField("table", table.table(path));
      keys(json, path.keys());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("accesses");
    for (AccessPlan plan : table.plans()) {
      json.writeStartObject();
      json.writeStringField("text", plan.access().text());
      AccessPlan.Kind kind = plan.kind();
      JsonOut.text(json, "kind", kind == null ? null : kind.text());
      json.writeNumberField("path", plan.path());
      json.writeNumberField("read", rounded(plan.read()));
      json.writeNumberField("returned", rounded(plan.returned()));
      json.writeNumberField("requests", rounded(plan.requests()));
      json.writeNumberField("written", rounded(plan.written()));
      json.writeNumberField("perSecond", plan.access().perSecond());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void keys(JsonGenerator json, Keys keys) throws IOException {
    json.writeStringField("partitionKey", Keys.template(keys.partition()));
    json.writeStringField("rowKey", Keys.template(keys.row()));
  }

  private static double rounded(double number) {
    return Math.round(number * 100) / 100.0;
  }
}
