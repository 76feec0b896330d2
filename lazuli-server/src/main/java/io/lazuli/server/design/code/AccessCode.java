package io.lazuli.server.design.code;

import io.lazuli.server.design.Access;
import io.lazuli.server.design.Access.Verb;
import io.lazuli.server.design.AccessPlan;
import io.lazuli.server.design.AccessPlan.Kind;
import io.lazuli.server.design.KeyPart;
import io.lazuli.server.design.KeyPart.Form;
import io.lazuli.server.design.Names;
import io.lazuli.server.design.Path;
import io.lazuli.server.design.Path.Placement;
import io.lazuli.server.design.Property;
import io.lazuli.server.design.Storage;
import io.lazuli.server.design.TableDesign;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Writes a method for each access to one type of entities. */
final class AccessCode {
  private static final String CLIENT = "io.lazuli.client.";

  private final Source source;
  private final TableDesign design;
  private final EntityCode code;
  private final Function<String, EntityCode> others;
  private final Set<String> methods;
  private final String handle;

  /**
   * @param others returns the code of another type
   * @param methods the names of methods that are taken
   */
  AccessCode(
      Source source,
      TableDesign design,
      EntityCode code,
      Function<String, EntityCode> others,
      Set<String> methods) {
    this.source = source;
    this.design = design;
    this.code = code;
    this.others = others;
    this.methods = methods;
    this.handle = JavaCode.handle(design);
  }

  void write() {
    for (AccessPlan plan : design.plans()) {
      source.comment(plan.access().text());
      if (design.storage() == Storage.LOG) {
        log(plan.access());
      } else if (plan.access().verb().reads()) {
        read(plan);
      } else {
        change(plan.access());
      }
      source.line("");
    }
  }

  /** Returns a free name for the method of an access. */
  private String name(Access access) {
    StringBuilder name = new StringBuilder(JavaCode.lower(verb(access)));
    name.append(code.type());
    String by = access.by().stream().map(Names::column).collect(Collectors.joining("And"));
    if (!by.isEmpty()) {
      name.append("By").append(by);
    }
    String range = access.range();
    if (range != null) {
      name.append(access.prefix() ? "StartingWith" : "Between").append(Names.column(range));
    }
    if (access.order() != null) {
      name.append(access.descending() ? "NewestFirst" : "Ordered");
    }
    String free = name.toString();
    for (int i = 2; !methods.add(free); i++) {
      free = name.toString() + i;
    }
    return free;
  }

  private static String verb(Access access) {
    String verb = access.verb().name();
    return verb.charAt(0) + verb.substring(1).toLowerCase(Locale.ROOT);
  }

  private void method(String result, Access access, List<String> parameters, String... lines) {
    source.line(
        "public " + result + " " + name(access) + "(" + String.join(", ", parameters) + ") {");
    for (String line : lines) {
      source.line(line);
    }
    source.line("}");
  }

  private List<String> parameters(Access access) {
    List<Property> given = access.by().stream().map(design.entity()::property).toList();
    List<String> all = new ArrayList<>();
    for (Property property : given) {
      all.add(EntityCode.javaType(source, property) + " " + Names.component(property.name()));
    }
    String range = access.range();
    if (range != null) {
      Property property = design.entity().property(range);
      if (access.prefix()) {
        all.add("String startText");
      } else {
        String type = EntityCode.javaType(source, property);
        all.add(type + " fromValue");
        all.add(type + " toValue");
      }
    }
    return all;
  }

  private void log(Access access) {
    if (access.verb() == Verb.INSERT) {
      method("void", access, List.of("String line"), handle + "Writer.append(line);");
    } else if (access.verb() == Verb.LIST) {
      String instant = source.use("java.time.Instant");
      method(
          source.use("java.util.stream.Stream")
              + "<"
              + source.use(CLIENT + "pattern.log.LogEntry")
              + ">",
          access,
          List.of(instant + " fromValue", instant + " toValue"),
          "return " + handle + "Reader.read(fromValue, toValue);");
    } else {
      source.comment("Blobs are named by their hour: delete old ones.");
    }
  }

  private void read(AccessPlan plan) {
    Access access = plan.access();
    switch (design.storage()) {
      case SERIES ->
          method(
              source.use(CLIENT + "pattern.series.Points") + "<Long>",
              access,
              keyParameters(),
              "return " + handle + ".read(" + code.keyOf() + ");");
      case WIDE -> point(access, handle + ".find(" + code.keyOf() + ")");
      default -> {
        if (plan.path() >= 0) {
          throughPath(plan);
        } else {
          onKeys(plan);
        }
      }
    }
  }

  private List<String> keyParameters() {
    String parameters = EntityCode.parameters(source, code.keyProperties());
    return parameters.isEmpty() ? List.of() : List.of(parameters);
  }

  /** Writes a method that finds one entity by its key. */
  private void point(Access access, String find) {
    method(optional(), access, keyParameters(), "return " + find + ";");
  }

  private String optional() {
    return source.use("java.util.Optional") + "<" + code.valueType(source) + ">";
  }

  private String stream() {
    return source.use("java.util.stream.Stream") + "<" + code.valueType(source) + ">";
  }

  private boolean isPrimary() {
    return JavaCode.isAcross(design) && !code.isDynamic();
  }

  private boolean isManaged() {
    return !design.paths().isEmpty() && !isPrimary() && !code.isDynamic();
  }

  private void onKeys(AccessPlan plan) {
    Access access = plan.access();
    if (plan.kind() == Kind.POINT) {
      String blocking = isPrimary() ? handle + ".blocking()" : handle;
      if (design.storage() == Storage.PERIOD) {
        String instant = source.use("java.time.Instant");
        List<String> parameters = new ArrayList<>(List.of(instant + " whenValue"));
        parameters.addAll(keyParameters());
        method(
            optional(),
            access,
            parameters,
            "return " + handle + ".find(whenValue, " + code.keyOf() + ");");
        return;
      }
      if (access.with() != null && design.copied() != null && code.copiedProperties().size() > 0) {
        point(access, handle + "Copies.holder(" + code.keyOf() + ")");
        return;
      }
      point(access, blocking + ".find(" + code.keyOf() + ")");
      return;
    }
    if (isManaged() && (plan.kind() == Kind.TABLE_SCAN || !EntityCode.hasRows(design))) {
      source.comment("A scan. Write it with a query of your own, if it has to be.");
      return;
    }
    if (isManaged()) {
      list(plan, rows(plan, design.keys().row().get(0).name(), code.partition(), code.row()));
      return;
    }
    String query = query(plan);
    if (design.storage() == Storage.PERIOD) {
      String instant = source.use("java.time.Instant");
      List<String> parameters = new ArrayList<>(parameters(access));
      parameters.add(instant + " firstDay");
      parameters.add(instant + " lastDay");
      method(
          stream(),
          access,
          parameters,
          "return " + handle + ".query(" + query + ", firstDay, lastDay)" + sorted(plan) + ";");
      return;
    }
    String blocking = isPrimary() ? handle + ".blocking()" : handle;
    list(plan, blocking + ".query(" + query + ")");
  }

  private void list(AccessPlan plan, String stream) {
    Access access = plan.access();
    boolean one = access.verb() == Verb.READ;
    boolean limited = access.limit() > 0 && !plan.sorts() && !stream.contains(".top(");
    method(
        one ? optional() : stream(),
        access,
        parameters(access),
        "return "
            + stream
            + sorted(plan)
            + (limited ? ".limit(" + access.limit() + ")" : "")
            + (one ? ".findFirst()" : "")
            + ";");
    if (access.with() != null && design.cached() != null) {
      source.comment("Details: " + handle + "Cache.find(key) asks the cache.");
    }
  }

  /** Returns the steps of a stream that bring entities into an order which keys do not have. */
  private String sorted(AccessPlan plan) {
    Access access = plan.access();
    String order = access.order();
    if (!plan.sorts() || order == null) {
      return "";
    }
    if (code.isDynamic()) {
      source.comment("Sort the result by " + design.entity().property(order).column() + ".");
      return "";
    }
    return ".sorted("
        + source.use("java.util.Comparator")
        + ".comparing("
        + code.type()
        + "::"
        + Names.component(order)
        + ")"
        + (access.descending() ? ".reversed()" : "")
        + ")"
        + (access.limit() > 0 ? ".limit(" + access.limit() + ")" : "");
  }

  private void throughPath(AccessPlan plan) {
    Path path = design.paths().get(plan.path());
    KeyCode partition = code.pathPartition(plan.path());
    KeyCode row = code.pathRow(plan.path());
    String place = partition.whole(source, n -> n);
    if (path.placement() == Placement.LIST_ROWS && !isPrimary()) {
      list(
          plan,
          handle
              + ".find("
              + place
              + ", "
              + Source.quoted(path.name() + "_")
              + ", "
              + row.whole(source, n -> n)
              + ")");
    } else if (path.placement().isList()) {
      String key = source.use(CLIENT + "entity.EntityKey");
      list(
          plan,
          handle
              + ".by("
              + handle
              + "By"
              + plan.path()
              + ").blocking().find(new "
              + key
              + "("
              + place
              + ", "
              + row.whole(source, n -> n)
              + "))");
    } else if (path.placement() == Placement.ROWS && !isPrimary()) {
      list(plan, rows(plan, path.name(), partition, row));
    } else {
      list(plan, partitions(plan, path, partition, row));
    }
  }

  /** Returns the first values of a row key that an access gives. */
  private static int given(Access access, KeyCode row) {
    int given = 0;
    for (KeyPart part : row.values()) {
      if (!access.by().contains(part.name())) {
        break;
      }
      given++;
    }
    return given;
  }

  private static boolean isRange(Access access, KeyCode row, int given) {
    return given < row.values().size() && row.values().get(given).name().equals(access.range());
  }

  private String from(KeyCode row, int given) {
    return bound(row, given, "fromValue", "toValue");
  }

  private String to(KeyCode row, int given) {
    return bound(row, given, "toValue", "fromValue");
  }

  /** Reversed ticks turn the ends of a range around. */
  private String bound(KeyCode row, int given, String usual, String reversed) {
    boolean turned = row.values().get(given).form() == Form.REVERSED_TICKS;
    return row.bound(source, given, turned ? reversed : usual);
  }

  /** Returns a lookup in an index within partitions; it gives a stream. */
  private String rows(AccessPlan plan, String word, KeyCode partition, KeyCode row) {
    Access access = plan.access();
    String index = handle + ".by(" + Source.quoted(word + "_") + ")";
    String place = partition.whole(source, n -> n);
    int given = given(access, row);
    if (given == row.values().size()) {
      return index + ".find(" + place + ", " + row.whole(source, n -> n) + ").stream()";
    }
    return index + search(access, row, given, place) + rest(access, partition, row, given);
  }

  private String partitions(AccessPlan plan, Path path, KeyCode partition, KeyCode row) {
    Access access = plan.access();
    String index = handle + ".blocking().by(" + Source.quoted(path.name()) + ")";
    String place = partition.whole(source, n -> n);
    int given = given(access, row);
    if (given == row.values().size()) {
      String key = source.use(CLIENT + "entity.EntityKey");
      return index
          + ".find(new "
          + key
          + "("
          + place
          + ", "
          + row.whole(source, n -> n)
          + ")).stream()";
    }
    return index + search(access, row, given, place) + rest(access, partition, row, given);
  }

  private String search(Access access, KeyCode row, int given, String place) {
    if (isRange(access, row, given)) {
      return access.prefix()
          ? ".prefix(" + place + ", " + row.prefix(source, given) + " + startText)"
          : ".range(" + place + ", " + from(row, given) + ", " + to(row, given) + ")";
    }
    return given > 0
        ? ".prefix(" + place + ", " + row.prefix(source, given) + ")"
        : ".partition(" + place + ")";
  }

  /** Returns what the client has to check, because keys do not. */
  private String rest(Access access, KeyCode partition, KeyCode row, int given) {
    Set<String> checked = new LinkedHashSet<>();
    partition.values().forEach(part -> checked.add(part.name()));
    row.values().stream().limit(given).forEach(part -> checked.add(part.name()));
    StringBuilder out = new StringBuilder();
    for (String name : access.by()) {
      if (!checked.contains(name)) {
        String component = Names.component(name);
        out.append(".filter(entity -> ")
            .append(source.use("java.util.Objects"))
            .append(".equals(entity.")
            .append(component)
            .append("(), ")
            .append(component)
            .append("))");
      }
    }
    String range = access.range();
    if (range != null && !isRange(access, row, given)) {
      out.append(".filter(entity -> ").append(inRange(access, range)).append(')');
    }
    return out.toString();
  }

  /** Returns a condition on an entity: whether its value is in the range of an access. */
  private String inRange(Access access, String range) {
    String value = "entity." + Names.component(range) + "()";
    if (access.prefix()) {
      return value + ".startsWith(startText)";
    }
    String objects = source.use("java.util.Objects");
    String order = source.use("java.util.Comparator") + ".naturalOrder()";
    return "%1$s.compare(%2$s, fromValue, %3$s) >= 0 && %1$s.compare(%2$s, toValue, %3$s) < 0"
        .formatted(objects, value, order);
  }

  /** Returns a query of a table whose rows are only these entities, or rows told by a word. */
  private String query(AccessPlan plan) {
    Access access = plan.access();
    String query = source.use(CLIENT + "query.Query");
    KeyCode partition = code.partition();
    KeyCode row = code.row();
    String limit = access.limit() > 0 && !plan.sorts() ? ".top(" + access.limit() + ")" : "";
    Set<String> checked = new LinkedHashSet<>();
    StringBuilder out = new StringBuilder();
    if (plan.kind() == Kind.TABLE_SCAN) {
      out.append(query).append(".all()");
    } else {
      partition.values().forEach(part -> checked.add(part.name()));
      int given = given(access, row);
      row.values().stream().limit(given).forEach(part -> checked.add(part.name()));
      String place = partition.whole(source, n -> n);
      if (isRange(access, row, given)) {
        checked.add(Objects.requireNonNull(access.range()));
        out.append(query).append(".partition(").append(place).append(").and(");
        out.append(source.use(CLIENT + "query.Filter")).append(".rowKey()");
        out.append(
            access.prefix()
                ? ".startsWith(" + row.prefix(source, given) + " + startText)"
                : ".between(" + from(row, given) + ", " + to(row, given) + ")");
        out.append(')');
      } else if (given > 0 || hasWord(row)) {
        out.append(query).append(".prefix(").append(place).append(", ");
        out.append(row.prefix(source, given)).append(')');
      } else {
        out.append(query).append(".partition(").append(place).append(')');
      }
    }
    return out + filters(access, checked) + limit;
  }

  private static boolean hasWord(KeyCode row) {
    return !row.isConstant() && row.parts().get(0).form() == Form.LITERAL;
  }

  private String filters(Access access, Set<String> checked) {
    StringBuilder out = new StringBuilder();
    for (String name : access.by()) {
      if (!checked.contains(name)) {
        out.append(".and(").append(operand(name)).append(".eq(");
        out.append(Names.component(name)).append("))");
      }
    }
    String range = access.range();
    if (range != null && !checked.contains(range)) {
      out.append(".and(").append(operand(range));
      out.append(access.prefix() ? ".startsWith(startText)" : ".between(fromValue, toValue)");
      out.append(')');
    }
    return out.toString();
  }

  private String operand(String name) {
    String filter = source.use(CLIENT + "query.Filter");
    if (code.partition().isDirect() && code.partition().parts().get(0).name().equals(name)) {
      return filter + ".partitionKey()";
    }
    if (code.row().isDirect() && code.row().parts().get(0).name().equals(name)) {
      return filter + ".rowKey()";
    }
    return filter + ".property(" + Source.quoted(design.entity().property(name).column()) + ")";
  }

  private void change(Access access) {
    if (access.with() != null) {
      together(access);
      return;
    }
    switch (design.storage()) {
      case SERIES -> seriesChange(access);
      case WIDE -> wideChange(access);
      default -> plainChange(access);
    }
  }

  private void seriesChange(Access access) {
    List<String> parameters = new ArrayList<>(keyParameters());
    parameters.add("int pointNumber");
    parameters.add("long amountValue");
    method(
        "long",
        access,
        parameters,
        "return "
            + source.use(CLIENT + "pattern.series.Series")
            + ".add("
            + handle
            + ", "
            + code.keyOf()
            + ", pointNumber, amountValue);");
  }

  private void wideChange(Access access) {
    if (access.verb() == Verb.INSERT) {
      method(
          "void", access, List.of(code.valueType(source) + " entity"), handle + ".insert(entity);");
      return;
    }
    List<String> parameters = new ArrayList<>(keyParameters());
    if (access.verb() == Verb.UPDATE) {
      parameters.add(source.use("java.util.Map") + "<String, Object> changes");
      method("void", access, parameters, handle + ".merge(" + code.keyOf() + ", changes);");
    } else {
      method(
          "boolean",
          access,
          parameters,
          "return " + handle + ".deleteIfExists(" + code.keyOf() + ");");
    }
  }

  private void plainChange(Access access) {
    String target = isPrimary() ? handle + ".blocking()" : handle;
    String type = code.valueType(source);
    List<String> keyed = new ArrayList<>(keyParameters());
    switch (access.verb()) {
      case INSERT -> method("void", access, List.of(type + " entity"), target + ".insert(entity);");
      case UPDATE -> {
        if (design.storage() == Storage.PERIOD) {
          method("void", access, List.of(type + " entity"), handle + ".upsertReplace(entity);");
          return;
        }
        keyed.add(source.use("java.util.function.UnaryOperator") + "<" + type + "> change");
        method("void", access, keyed, target + ".update(" + code.keyOf() + ", change);");
      }
      case DELETE -> delete(access, target, keyed);
      case ARCHIVE -> {
        if (isPrimary()) {
          method("void", access, keyed, handle + "Move.blocking().move(" + code.keyOf() + ");");
        } else {
          source.comment("Write it to the archive, then delete it here (docs/patterns/move.md).");
        }
      }
      case READ, LIST -> throw new IllegalStateException(access.verb().name());
    }
  }

  private void delete(Access access, String target, List<String> keyed) {
    if (design.storage() == Storage.PERIOD) {
      String instant = source.use("java.time.Instant");
      method(
          "long",
          access,
          List.of(instant + " before"),
          "return " + handle + ".dropBefore(before);");
    } else if (access.olderDays() > 0) {
      source.comment("Query for old entities, and delete them in batches of one partition.");
    } else {
      String call =
          isPrimary() || design.storage() == Storage.LARGE ? ".delete(" : ".deleteIfExists(";
      method("void", access, keyed, target + call + code.keyOf() + ");");
    }
  }

  /** Writes a method that changes two entities in one transaction. */
  private void together(Access access) {
    EntityCode other = others.apply(Objects.requireNonNull(access.with()));
    boolean plain =
        design.storage() == Storage.PLAIN
            && design.paths().isEmpty()
            && !isPrimary()
            && !code.isDynamic()
            && other.isPlain(design.table());
    if (!plain) {
      source.comment(
          "Both are written by different patterns: use an outbox (docs/patterns/outbox.md).");
      return;
    }
    String write = source.use(CLIENT + "table.Write");
    String codec = source.use(CLIENT + "entity.EntityCodec");
    String first =
        switch (access.verb()) {
          case INSERT -> ".insert(entity)";
          case DELETE ->
              ".<"
                  + code.type()
                  + ">delete(key, "
                  + source.use(CLIENT + "table.Condition")
                  + ".any())";
          default -> ".upsertReplace(entity)";
        };
    boolean deletes = access.verb() == Verb.DELETE;
    method(
        "void",
        access,
        List.of(
            deletes ? source.use(CLIENT + "entity.EntityKey") + " key" : code.type() + " entity",
            other.type() + " other"),
        handle
            + ".as("
            + codec
            + ".dynamic()).batch("
            + source.use(CLIENT + "table.Batch")
            + ".of("
            + write
            + first
            + ".with("
            + codec
            + ".of("
            + code.type()
            + ".class)), "
            + write
            + ".upsertReplace(other).with("
            + codec
            + ".of("
            + other.type()
            + ".class))));");
  }
}
