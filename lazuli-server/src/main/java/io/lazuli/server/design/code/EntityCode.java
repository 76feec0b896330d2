package io.lazuli.server.design.code;

import io.lazuli.server.design.KeyPart;
import io.lazuli.server.design.Names;
import io.lazuli.server.design.Path;
import io.lazuli.server.design.Property;
import io.lazuli.server.design.Storage;
import io.lazuli.server.design.TableDesign;
import io.lazuli.server.design.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The code for the type of an entity: a record, or only its keys if it has too many properties. */
final class EntityCode {
  private static final String ENTITY = "io.lazuli.client.entity.";

  /** The places of a record that Java allows are 255; long and double take two. */
  private static final int PLACES_MAX = 240;

  private final TableDesign design;
  private final @Nullable TableDesign original;
  private final String outer;
  private final String type;
  private final KeyCode partition;
  private final KeyCode row;
  private final List<KeyCode[]> paths = new ArrayList<>();

  /**
   * @param original the design of the entity whose details this one holds; null for none
   */
  EntityCode(TableDesign design, @Nullable TableDesign original, String outer) {
    this.design = design;
    this.original = original;
    this.outer = outer;
    this.type = Names.type(design.entity().name());
    boolean indexed = hasRows(design);
    List<KeyPart> rowParts = design.keys().row();
    this.partition = key("partitionKey", design.keys().partition());
    // The index of lazuli-client adds its word itself.
    this.row = key("rowKey", indexed ? withoutWord(rowParts) : rowParts);
    for (Path path : design.paths()) {
      boolean word = path.placement().isList() || path.placement() == Path.Placement.ROWS;
      boolean here = path.placement() == Path.Placement.ROWS;
      List<KeyPart> parts = path.keys().row();
      boolean listed = path.placement() == Path.Placement.LIST_ROWS;
      paths.add(
          new KeyCode[] {
            key(path.name() + "Partition", path.keys().partition()),
            key(path.name() + "Row", word && (here || listed) ? withoutWord(parts) : parts)
          });
    }
  }

  static boolean hasRows(TableDesign design) {
    return !design.paths().isEmpty() && design.paths().get(0).placement() == Path.Placement.ROWS;
  }

  private static List<KeyPart> withoutWord(List<KeyPart> parts) {
    return parts.isEmpty() ? parts : parts.subList(1, parts.size());
  }

  private KeyCode key(String name, List<KeyPart> parts) {
    return new KeyCode(outer, type, name, design.entity(), parts);
  }

  String type() {
    return type;
  }

  /** Returns whether entities are simply rows of a table. */
  boolean isPlain(String table) {
    return design.storage() == Storage.PLAIN
        && design.paths().isEmpty()
        && !isDynamic()
        && !JavaCode.isAcross(design)
        && design.table().equals(table);
  }

  /** Returns the type of values: the record, or the SDK's entity. */
  String valueType(Source source) {
    return isDynamic() ? source.use("com.azure.data.tables.models.TableEntity") : type;
  }

  KeyCode partition() {
    return partition;
  }

  KeyCode row() {
    return row;
  }

  KeyCode pathPartition(int path) {
    return paths.get(path)[0];
  }

  KeyCode pathRow(int path) {
    return paths.get(path)[1];
  }

  boolean isDynamic() {
    int places = 4;
    for (Property property : design.entity().properties()) {
      places += property.type() == Type.INT64 || property.type() == Type.DOUBLE ? 2 : 1;
    }
    return design.storage() == Storage.SERIES
        || design.storage() == Storage.WIDE
        || places > PLACES_MAX;
  }

  /** Returns whether a property is a key as it is. */
  boolean isKey(Property property) {
    return (partition.isDirect() && partition.parts().get(0).name().equals(property.name()))
        || (row.isDirect() && row.parts().get(0).name().equals(property.name()));
  }

  static String javaType(Source source, Property property) {
    return switch (property.type()) {
      case STRING -> "String";
      case INT32 -> "int";
      case INT64 -> "long";
      case DOUBLE -> "double";
      case BOOLEAN -> "boolean";
      case DATETIME -> source.use("java.time.Instant");
      case GUID -> source.use("java.util.UUID");
      case BINARY -> "byte[]";
    };
  }

  static String boxed(Source source, Property property) {
    return switch (property.type()) {
      case INT32 -> "Integer";
      case INT64 -> "Long";
      case DOUBLE -> "Double";
      case BOOLEAN -> "Boolean";
      default -> javaType(source, property);
    };
  }

  /** Returns the properties of both keys, in order. */
  List<Property> keyProperties() {
    Set<String> names = new LinkedHashSet<>();
    partition.values().forEach(part -> names.add(part.name()));
    row.values().forEach(part -> names.add(part.name()));
    return names.stream().map(design.entity()::property).toList();
  }

  static String parameters(Source source, List<Property> properties) {
    return properties.stream()
        .map(p -> javaType(source, p) + " " + Names.component(p.name()))
        .collect(Collectors.joining(", "));
  }

  /** Returns the key as an expression of parameters. */
  String keyOf() {
    return type
        + ".keyOf("
        + keyProperties().stream()
            .map(p -> Names.component(p.name()))
            .collect(Collectors.joining(", "))
        + ")";
  }

  void declare(Source source) {
    if (isDynamic()) {
      source.line("/** Makes the keys of a " + type + ". */");
      source.line("public static final class " + type + " {");
      source.line("private " + type + "() {}");
      source.line("");
    } else {
      source.line("/** An entity. */");
      source.line("public record " + type + "(");
      source.line("    " + String.join(",\n      ", components(source)) + ") {");
    }
    partition.declare(source);
    row.declare(source);
    for (KeyCode[] path : paths) {
      path[0].declare(source);
      path[1].declare(source);
    }
    source.use(ENTITY + "EntityKey");
    source.line("/** Returns the keys of an entity. */");
    source.line("public static EntityKey keyOf(" + parameters(source, keyProperties()) + ") {");
    source.line(
        "return new EntityKey("
            + partition.whole(source, name -> name)
            + ", "
            + row.whole(source, name -> name)
            + ");");
    source.line("}");
    if (!isDynamic()) {
      factory(source);
    }
    source.line("}");
    source.line("");
  }

  private List<String> components(Source source) {
    List<String> all = new ArrayList<>();
    String partitionKey = "@" + source.use(ENTITY + "PartitionKey") + " String ";
    String rowKey = "@" + source.use(ENTITY + "RowKey") + " String ";
    all.add(partitionKey + (partition.isDirect() ? component(partition) : "partitionKey"));
    all.add(rowKey + (row.isDirect() ? component(row) : "rowKey"));
    for (Property property : design.entity().properties()) {
      if (!isKey(property)) {
        all.add(
            named(source, property)
                + javaType(source, property)
                + " "
                + Names.component(property.name()));
      }
    }
    if (original != null) {
      String optional = source.use("java.util.Optional");
      all.add(optional + "<String> " + copied("row"));
      for (Property property : copiedProperties()) {
        all.add(optional + "<" + boxed(source, property) + "> " + copied(property.name()));
      }
    }
    return all;
  }

  private static String component(KeyCode key) {
    return Names.component(key.parts().get(0).name());
  }

  private static String named(Source source, Property property) {
    String component = Names.component(property.name());
    String usual = component.substring(0, 1).toUpperCase(Locale.ROOT) + component.substring(1);
    return usual.equals(property.column())
        ? ""
        : "@" + source.use(ENTITY + "Name") + "(" + Source.quoted(property.column()) + ") ";
  }

  /** Returns the name of a copied detail. */
  String copied(String name) {
    return Names.component(Objects.requireNonNull(design.copied()) + " copied " + name);
  }

  /** Returns the properties of the original that this entity holds. */
  List<Property> copiedProperties() {
    return original == null
        ? List.of()
        : original.entity().properties().stream()
            .filter(p -> !original.entity().key().contains(p.name()))
            .filter(p -> p.type() != Type.BINARY)
            .filter(
                p ->
                    design.entity().properties().stream().noneMatch(q -> q.name().equals(p.name())))
            .toList();
  }

  private void factory(Source source) {
    List<String> values = new ArrayList<>();
    values.add(partition.isDirect() ? component(partition) : partition.whole(source, n -> n));
    values.add(row.isDirect() ? component(row) : row.whole(source, n -> n));
    for (Property property : design.entity().properties()) {
      if (!isKey(property)) {
        values.add(Names.component(property.name()));
      }
    }
    if (original != null) {
      for (int i = 0; i <= copiedProperties().size(); i++) {
        values.add("Optional.empty()");
      }
    }
    source.line("");
    source.line("/** Returns an entity with the keys that its values have. */");
    source.line(
        "public static "
            + type
            + " of("
            + parameters(source, design.entity().properties())
            + ") {");
    source.line("return new " + type + "(" + String.join(", ", values) + ");");
    source.line("}");
  }

  /** Returns an expression for a holder with or without the details of an original. */
  String embedded(Source source, String holder, String original0, KeyCode originalRow) {
    List<String> values = new ArrayList<>();
    values.add(
        holder + "." + (partition.isDirect() ? component(partition) : "partitionKey") + "()");
    values.add(holder + "." + (row.isDirect() ? component(row) : "rowKey") + "()");
    for (Property property : design.entity().properties()) {
      if (!isKey(property)) {
        values.add(holder + "." + Names.component(property.name()) + "()");
      }
    }
    values.add(
        original0
            + ".map(each -> each."
            + (originalRow.isDirect() ? component(originalRow) : "rowKey")
            + "())");
    for (Property property : copiedProperties()) {
      values.add(original0 + ".map(each -> each." + Names.component(property.name()) + "())");
    }
    return "new " + type + "(" + String.join(", ", values) + ")";
  }
}
