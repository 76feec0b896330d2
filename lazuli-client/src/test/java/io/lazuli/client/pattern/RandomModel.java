package io.lazuli.client.pattern;

import io.lazuli.server.design.EntityType;
import io.lazuli.server.design.Model;
import io.lazuli.server.design.Property;
import io.lazuli.server.design.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A random model that is valid. Its names are often words that generated code uses itself, or that
 * are not names in Java.
 */
final class RandomModel {
  private static final List<String> ENTITIES =
      List.of(
          "Order",
          "Customer",
          "line item",
          "Table",
          "Blob",
          "Queue",
          "Stream",
          "String",
          "Record",
          "Optional",
          "Outbox",
          "class",
          "Objects",
          "Comparator",
          "Log",
          "Model",
          "Instant",
          "x");
  private static final List<String> PROPERTIES =
      List.of(
          "id",
          "customer",
          "placed at",
          "entity",
          "change",
          "changes",
          "orders",
          "class",
          "of",
          "key",
          "row key",
          "PartitionKey",
          "timestamp",
          "line",
          "amount",
          "from value",
          "start text",
          "keyOf",
          "hashCode",
          "tables",
          "name",
          "year",
          "2nd",
          "caf\u00e9",
          "a-b",
          "toString");
  private static final List<String> MODELS =
      List.of("", "my model", "Period", "Order", "5", "class");

  private final Random random;
  private final String name;
  private final Model model;

  RandomModel(Random random) {
    this.random = random;
    this.name = any(MODELS);
    List<String> names = some(ENTITIES, 1 + random.nextInt(3));
    List<EntityType> entities = new ArrayList<>();
    for (String each : names) {
      entities.add(entity(each, names));
    }
    List<String> accesses = new ArrayList<>();
    for (int i = random.nextInt(9) + 1; i > 0; i--) {
      accesses.add(access(entities));
    }
    this.model = Model.of(entities, accesses);
  }

  String name() {
    return name;
  }

  Model model() {
    return model;
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private List<String> some(List<String> of, int count) {
    List<String> left = new ArrayList<>(of);
    List<String> some = new ArrayList<>();
    while (some.size() < count) {
      some.add(left.remove(random.nextInt(left.size())));
    }
    return some;
  }

  private EntityType entity(String entity, List<String> entities) {
    Map<String, Property> properties = new LinkedHashMap<>();
    for (String each : some(PROPERTIES, 2 + random.nextInt(7))) {
      Type type = properties.isEmpty() ? Type.STRING : any(List.of(Type.values()));
      int digits = random.nextBoolean() ? 0 : 1 + random.nextInt(9);
      String refersTo = random.nextInt(4) == 0 ? any(entities) : null;
      properties.put(each, property(each, type, digits, refersTo));
    }
    List<String> keys =
        properties.values().stream().filter(RandomModel::fitsKey).map(Property::name).toList();
    List<String> key = some(keys, 1 + random.nextInt(Math.min(3, keys.size())));
    long count = 1L << random.nextInt(32);
    return new EntityType(entity, count, key, List.copyOf(properties.values()));
  }

  private Property property(String of, Type type, int digits, @Nullable String refersTo) {
    long bytes = random.nextInt(20) == 0 ? 100_000 : type.usualBytes();
    return new Property(
        of, type, bytes, random.nextInt(5) == 0, random.nextInt(1_000), digits, refersTo);
  }

  private static boolean fitsKey(Property property) {
    return property.type() != Type.DOUBLE && property.type() != Type.BINARY;
  }

  private static String quoted(String text) {
    return "'" + text + "'";
  }

  private String access(List<EntityType> entities) {
    EntityType entity = any(entities);
    String of = quoted(entity.name());
    List<String> keys =
        entity.properties().stream().filter(RandomModel::fitsKey).map(Property::name).toList();
    String by =
        " by "
            + String.join(
                ", ",
                some(keys, 1 + random.nextInt(keys.size())).stream()
                    .map(RandomModel::quoted)
                    .toList());
    String rate = " " + (1 + random.nextInt(2_000)) + any(List.of("/s", "/min", "/h", "/day"));
    return switch (random.nextInt(9)) {
      case 0 -> "read " + of + by + with(entity) + rate;
      case 1, 2 -> "list " + of + (random.nextInt(5) == 0 ? "" : by) + range(entity, keys) + rate;
      case 3 -> "list " + of + by + order(entity, keys) + rate;
      case 4 ->
          "insert "
              + of
              + (random.nextBoolean() ? "" : " with " + quoted(any(entities).name()))
              + rate;
      case 5 ->
          "update " + of + (random.nextBoolean() ? "" : " changing " + quoted(any(keys))) + rate;
      case 6 -> "delete " + of + (random.nextBoolean() ? by : "") + rate;
      case 7 -> "delete " + of + (hasTime(entity) ? " older than 30 days" : "") + rate;
      default -> "archive " + of + rate;
    };
  }

  private static boolean hasTime(EntityType entity) {
    return entity.properties().stream().anyMatch(each -> each.type() == Type.DATETIME);
  }

  private String with(EntityType entity) {
    List<String> references =
        entity.properties().stream()
            .filter(each -> each.refersTo() != null)
            .map(Property::name)
            .toList();
    return references.isEmpty() ? "" : " with " + quoted(any(references));
  }

  private String range(EntityType entity, List<String> keys) {
    List<String> texts =
        entity.properties().stream()
            .filter(each -> each.type() == Type.STRING)
            .map(Property::name)
            .toList();
    return switch (random.nextInt(3)) {
      case 0 -> " between " + quoted(any(keys));
      case 1 -> " starting with " + quoted(any(texts));
      default -> random.nextBoolean() ? "" : " first 20";
    };
  }

  private String order(EntityType entity, List<String> keys) {
    if (hasTime(entity) && random.nextBoolean()) {
      return any(List.of(" newest first 10", " oldest first", " newest first"));
    }
    return " ordered by " + quoted(any(keys)) + any(List.of("", " descending", " first 5"));
  }
}
