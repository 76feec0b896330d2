package io.lazuli.server.role;

import io.lazuli.server.watch.RefusedFileException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes the text of a roles file: a line with the version of the format, then one line
 * for each assignment: {@code assign ROLE SCOPE ISSUER KIND VALUE}. The value is the rest of the
 * line, because names of groups may contain blanks. Empty lines and lines that begin with {@code #}
 * are skipped.
 */
final class RoleFileText {
  private static final String HEAD = "lazuli roles 1";
  private static final int VALUE_CHARS_MAX = 512;

  private RoleFileText() {}

  static String write(RoleSet set) {
    StringBuilder out = new StringBuilder(HEAD).append('\n');
    for (RoleAssignment one : set.assignments()) {
      out.append(line(one)).append('\n');
    }
    return out.toString();
  }

  static String line(RoleAssignment one) {
    return "assign " + one.text();
  }

  static RoleSet parse(String text) {
    String[] lines = text.split("\r?\n", -1);
    if (!lines[0].strip().equals(HEAD)) {
      throw broken(1, "it is not '" + HEAD + "'");
    }
    List<RoleAssignment> assignments = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) {
      String line = lines[i].strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        assignments.add(assignment(line, i + 1));
      }
    }
    return new RoleSet(assignments);
  }

  private static RoleAssignment assignment(String line, int number) {
    String[] words = line.split("\\s+", 6);
    if (words.length != 6 || !words[0].equals("assign")) {
      throw broken(number, "it is not 'assign ROLE SCOPE ISSUER KIND VALUE'");
    }
    return new RoleAssignment(
        Role.named(words[1]).orElseThrow(() -> broken(number, "the role is unknown")),
        Scope.parse(words[2]).orElseThrow(() -> broken(number, "the scope is invalid")),
        words[3],
        principal(words[4], words[5], number));
  }

  private static Principal principal(String kind, String value, int number) {
    if (value.length() > VALUE_CHARS_MAX) {
      throw broken(number, "the value is longer than " + VALUE_CHARS_MAX + " characters");
    }
    return new Principal(
        Principal.Kind.of(kind)
            .orElseThrow(() -> broken(number, "the kind must be oid, app, sub, group or role")),
        value);
  }

  private static RefusedFileException broken(int line, String why) {
    return new RefusedFileException("line " + line + ": " + why);
  }
}
