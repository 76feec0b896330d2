package io.lazuli.transfer;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.entity.Property;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Entities with everything that the service accepts and that a file format may lose. */
public final class AwkwardEntities {
  private AwkwardEntities() {}

  /** Returns the entities in the order of their keys. */
  public static List<Entity> all() {
    List<Entity> entities = new ArrayList<>();
    int row = 0;
    for (Property value : values()) {
      entities.add(entity("values", String.format("%03d", row++), List.of(value)));
    }
    // One name with all types, in one table.
    for (Property value : values()) {
      entities.add(
          entity(
              "same name",
              String.format("%03d", row++),
              List.of(new Property("Any", value.type(), value.text()))));
    }
    for (String key :
        List.of(
            "",
            " ",
            "'",
            "''",
            "a'b",
            "%",
            "%25",
            "+",
            "a b",
            "\"",
            ",",
            "a,\"b\"",
            "€",
            "日本",
            "\ud83d\ude00",
            "\uffee",
            "x\u00a0y",
            "a;b=c",
            "()",
            "$",
            "&=",
            "k".repeat(500))) {
      entities.add(entity("key" + key, key, List.of()));
      entities.add(entity(key, "row of " + key, List.of(property(EdmType.STRING, ""))));
    }
    List<Property> many = new ArrayList<>();
    List<EdmType> types = Stream.of(EdmType.values()).filter(type -> type != EdmType.NULL).toList();
    for (int i = 0; i < 252; i++) {
      EdmType type = types.get(i % types.size());
      many.add(new Property("P" + i, type, sample(type)));
    }
    entities.add(entity("wide", "252", many));
    entities.add(entity("wide", "none", List.of()));
    Comparator<Entity> order =
        Comparator.comparing((Entity entity) -> entity.key().partition())
            .thenComparing(entity -> entity.key().row());
    return entities.stream().sorted(order).toList();
  }

  private static List<Property> values() {
    List<Property> values = new ArrayList<>();
    for (String text :
        List.of(
            "",
            " ",
            "null",
            "NaN",
            "0",
            "\r",
            "\n",
            "\r\n",
            "a\r\nb",
            "\t",
            "\"",
            "\"\"",
            ",",
            ";",
            "\\",
            "\\u0041",
            "\u0000",
            "\u0001\u001f\u007f\u0085",
            "\u2028\u2029",
            "\ufffe\uffff",
            "\ud83d\ude00",
            "\ud800",
            "\udc00x",
            "a\udbff",
            "\ud83d\ud83d\ude00",
            "=1+1",
            " x ",
            "€",
            "x".repeat(32_000))) {
      values.add(property(EdmType.STRING, text));
    }
    for (String text : List.of("0", "-1", "2147483647", "-2147483648")) {
      values.add(property(EdmType.INT32, text));
    }
    for (String text : List.of("0", "-1", "9223372036854775807", "-9223372036854775808")) {
      values.add(property(EdmType.INT64, text));
    }
    for (double number :
        new double[] {
          0.0,
          -0.0,
          1,
          0.1,
          1e21,
          -1e-7,
          Double.MIN_VALUE,
          Double.MAX_VALUE,
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY
        }) {
      values.add(property(EdmType.DOUBLE, Double.toString(number)));
    }
    values.add(property(EdmType.BOOLEAN, "true"));
    values.add(property(EdmType.BOOLEAN, "false"));
    for (String text :
        List.of(
            "1601-01-01T00:00:00Z",
            "1601-01-01T00:00:00.0000001Z",
            "1969-12-31T23:59:59.9999999Z",
            "1970-01-01T00:00:00Z",
            "2000-02-29T12:34:56.789Z",
            "2026-11-18T00:00:00.0000009Z",
            "2026-11-18T00:00:00.000001Z",
            "9999-12-31T23:59:59.9999999Z")) {
      values.add(property(EdmType.DATE_TIME, text));
    }
    values.add(property(EdmType.GUID, "00000000-0000-0000-0000-000000000000"));
    values.add(property(EdmType.GUID, "c9da6455-213d-42c9-9a79-3e9149a57833"));
    values.add(property(EdmType.BINARY, ""));
    values.add(property(EdmType.BINARY, "AA=="));
    values.add(property(EdmType.BINARY, "/+8AAQID"));
    return values;
  }

  private static String sample(EdmType type) {
    return switch (type) {
      case STRING -> "text";
      case INT32 -> "32";
      case INT64 -> "64";
      case DOUBLE -> "1.5";
      case BOOLEAN -> "true";
      case DATE_TIME -> "2026-11-18T01:02:03.0000004Z";
      case GUID -> "c9da6455-213d-42c9-9a79-3e9149a57833";
      case BINARY -> "AQ==";
      case NULL -> "";
    };
  }

  private static Property property(EdmType type, String text) {
    return new Property(type.shortLabel() + "Value", type, text);
  }

  private static Entity entity(String partition, String row, List<Property> properties) {
    return new Entity(new Key(partition, row), "", properties);
  }

  /**
   * Returns an entity without its time, with doubles as Java writes them and its properties in the
   * order of their names, which the service does not promise to keep.
   */
  public static Entity comparable(Entity entity) {
    return new Entity(
        entity.key(),
        "",
        entity.properties().stream()
            .map(
                property ->
                    property.type() == EdmType.DOUBLE
                        ? new Property(
                            property.name(),
                            property.type(),
                            Double.toString(Double.parseDouble(property.text())))
                        : property)
            .sorted(Comparator.comparing(Property::name))
            .toList());
  }
}
