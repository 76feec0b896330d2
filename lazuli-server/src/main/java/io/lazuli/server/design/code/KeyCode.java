package io.lazuli.server.design.code;

import io.lazuli.server.design.EntityType;
import io.lazuli.server.design.KeyPart;
import io.lazuli.server.design.KeyPart.Form;
import io.lazuli.server.design.Names;
import io.lazuli.server.design.Property;
import io.lazuli.server.design.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The code for one key. A key of one text is that property; a key without values is a constant;
 * others are written by a KeyFormat of lazuli-client, which pads numbers and escapes texts.
 *
 * @param owner the class that has the format
 * @param name the name of the key within its class, such as {@code emailRow}
 */
record KeyCode(String outer, String owner, String name, EntityType entity, List<KeyPart> parts) {
  private static final String KEY = "io.lazuli.client.pattern.key.";

  List<KeyPart> values() {
    return parts.stream().filter(part -> part.form() != Form.LITERAL).toList();
  }

  /** Returns whether the key is one text as it is. */
  boolean isDirect() {
    return parts.size() == 1
        && parts.get(0).form() == Form.TEXT
        && property(parts.get(0)).type() == Type.STRING;
  }

  boolean isConstant() {
    return values().isEmpty();
  }

  Property property(KeyPart part) {
    return entity.property(part.name());
  }

  private String constant() {
    return parts.stream().map(KeyPart::name).collect(Collectors.joining("_"));
  }

  private String format() {
    return name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }

  private String record() {
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + "Parts";
  }

  /** Writes the format, and the record of its values. */
  void declare(Source source) {
    if (isDirect() || isConstant()) {
      return;
    }
    List<String> components = new ArrayList<>();
    List<String> formats = new ArrayList<>();
    String part = source.use(KEY + "KeyPart");
    for (KeyPart each : parts) {
      switch (each.form()) {
        case LITERAL -> formats.add(part + ".literal(" + Source.quoted(each.name()) + ")");
        case PADDED -> {
          formats.add(part + ".number(" + each.digits() + ")");
          components.add(
              (property(each).type() == Type.INT32 ? "int " : "long ")
                  + Names.component(each.name()));
        }
        default -> {
          formats.add(part + ".text()");
          components.add("String " + Names.component(each.name()));
        }
      }
    }
    source.line("record " + record() + "(" + String.join(", ", components) + ") {}");
    source.line("");
    source.line(
        "static final "
            + source.use(KEY + "KeyFormat")
            + "<"
            + record()
            + "> "
            + format()
            + " = KeyFormat.of("
            + record()
            + ".class, "
            + String.join(", ", formats)
            + ");");
    source.line("");
  }

  /**
   * Returns the key as an expression.
   *
   * @param value returns the expression for the value of a component
   */
  String whole(Source source, UnaryOperator<String> value) {
    if (isConstant()) {
      return Source.quoted(constant());
    }
    if (isDirect()) {
      return value.apply(Names.component(parts.get(0).name()));
    }
    String all =
        values().stream()
            .map(part -> text(source, part, value.apply(Names.component(part.name()))))
            .collect(Collectors.joining(", "));
    return owner + "." + format() + ".format(new " + owner + "." + record() + "(" + all + "))";
  }

  /** Returns the start of all keys that have the first values. */
  String prefix(Source source, int count) {
    if (isDirect()) {
      return "\"\"";
    }
    String leading =
        values().stream()
            .limit(count)
            .map(part -> text(source, part, Names.component(part.name())))
            .collect(Collectors.joining(", "));
    return owner + "." + format() + ".prefix(" + leading + ")";
  }

  /** Returns a bound: the first values, and one value of the next part. */
  String bound(Source source, int count, String value) {
    KeyPart next = values().get(count);
    String text = text(source, next, value);
    if (isDirect()) {
      return text;
    }
    String end =
        next.form() == Form.PADDED ? "\"%0" + next.digits() + "d\".formatted(" + text + ")" : text;
    return prefix(source, count) + " + " + end;
  }

  /** Returns a value as a format takes it. */
  private String text(Source source, KeyPart part, String value) {
    return switch (part.form()) {
      case PADDED, LITERAL -> value;
      case TIME -> outer + ".timeText(" + value + ")";
      case DAY -> outer + ".dayText(" + value + ")";
      case REVERSED_TICKS ->
          source.use("io.lazuli.client.pattern.logtail.InvertedTicks") + ".of(" + value + ")";
      case TEXT ->
          switch (property(part).type()) {
            case GUID -> value + ".toString()";
            case BOOLEAN -> "String.valueOf(" + value + ")";
            default -> value;
          };
    };
  }
}
