package io.lazuli.server.event;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An operation as logs-and-metrics describes it: the names are those of section 4, the kind follows
 * from the name by the rules of section 2.3.
 */
public record DocumentedOperation(String documentedName) implements OperationType {
  private static final Path SPECIFICATION = Path.of("../docs/spec/logs-and-metrics.md");
  private static final Pattern NAME = Pattern.compile("\\b[A-Z][a-z]+(?:[A-Z]+[a-z]*)+\\b");

  /** The names that the specification lists for a service. */
  public static Set<String> names(String service) {
    Set<String> names = new LinkedHashSet<>();
    Matcher matcher = NAME.matcher(row(service));
    while (matcher.find()) {
      names.add(matcher.group());
    }
    return names;
  }

  private static String row(String service) {
    try {
      return Files.readAllLines(SPECIFICATION).stream()
          .dropWhile(line -> !line.startsWith("## 4."))
          .filter(line -> line.startsWith("| " + service + " |"))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public OperationKind kind() {
    if (documentedName.startsWith("Delete") || documentedName.startsWith("Clear")) {
      return OperationKind.DELETE;
    }
    return !isGetMessage() && isRead() ? OperationKind.READ : OperationKind.WRITE;
  }

  @Override
  public OperationKind kind(long returned) {
    return isGetMessage() && returned == 0 ? OperationKind.READ : kind();
  }

  private boolean isGetMessage() {
    return documentedName.startsWith("GetMessage");
  }

  private boolean isRead() {
    return documentedName.startsWith("Get")
        || documentedName.startsWith("Query")
        || documentedName.startsWith("List")
        || documentedName.startsWith("Peek")
        || documentedName.startsWith("Find")
        || documentedName.endsWith("PreflightRequest");
  }
}
