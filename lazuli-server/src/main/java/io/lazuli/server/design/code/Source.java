package io.lazuli.server.design.code;

import java.util.Set;
import java.util.TreeSet;

/** Lines of Java with their imports. Mutable, for one thread. */
final class Source {
  private final Set<String> imports = new TreeSet<>();
  private final StringBuilder lines = new StringBuilder();
  private int depth = 1;

  /** Adds an import and returns the simple name. */
  String use(String type) {
    imports.add(type);
    return type.substring(type.lastIndexOf('.') + 1);
  }

  void line(String text) {
    if (text.startsWith("}")) {
      depth--;
    }
    lines.append(text.isEmpty() ? "" : "  ".repeat(depth)).append(text).append('\n');
    if (text.endsWith("{")) {
      depth++;
    }
  }

  /** Adds a comment. What a person wrote is shown without characters that could end it. */
  void comment(String text) {
    line("// " + plain(text));
  }

  /** Returns a text that is safe in a comment: printable ASCII without backslashes. */
  static String plain(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      out.append(c < ' ' || c > '~' || c == '\\' ? '.' : c);
    }
    return out.toString().replace("*/", "* /");
  }

  /** Returns a text literal. */
  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c > '~') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  String text(String head, String name) {
    StringBuilder out = new StringBuilder();
    for (String type : imports) {
      out.append("import ").append(type).append(";\n");
    }
    return out.append('\n')
        .append(head)
        .append("public final class ")
        .append(name)
        .append(" {\n")
        .append(lines)
        .append("}\n")
        .toString();
  }
}
