package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that every case names its area and its evidence, and that every section has a case. */
class EvidenceTest {

  @Test
  void everyCaseHasAnArea() {
    assertThat(cases()).allMatch(method -> has(method, Covers.class));
  }

  @Test
  void everyCaseHasEvidence() {
    assertThat(cases())
        .allMatch(method -> has(method, Documented.class) || has(method, SeenOn.class));
  }

  @ParameterizedTest
  @CsvSource({
    "table-rest, 5.1 5.2 5.3 5.4",
    "table-rest, 6.1 6.2 6.3 6.4 6.5 6.6 6.7 6.8 6.9 6.10 6.11 6.12",
    "table-rest, 7.1 7.2 7.3 7.4 7.5 7.6",
    "table-rest, 8.1 8.3 8.4 8.5 9.1 9.2 10 10.1 10.2 11 14",
    "auth, 1 2.1 2.3 3.1 4.1 4.2 4.3 4.5 5 6.1 6.2 7 8 9 10.5",
    "queue-rest, 1.2 1.3 1.4 2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 3 4.1 4.2 4.3",
    "queue-rest, 5.1 5.2 5.3 5.4 5.5 6.1 6.2 6.3 6.4 6.5 6.6 7.1 7.2 8 9 10 11 13",
    "blob-rest, 1 2 2.1 2.2 2.3 3.1 3.2 3.3 3.4 4 4.1 4.2 4.3 4.4 5 5.1 5.2 6 7",
    "blob-rest, 8.1 8.2 8.3 8.4 8.5 9.1 9.2 9.3 9.4 9.5 9.6",
    "blob-rest, 10.1 10.2 10.3 10.4 10.5 10.6 10.7 10.8 10.9 10.10 10.11",
    "blob-rest, 11.1 11.2 11.3 12.1 12.2 12.3 12.4 13 15 16 17 19",
    "blob-rest, 20.1 20.2 20.3 20.4 20.5 20.6 20.7 20.8 20.9 20.10 20.11 20.12 20.13 20.14 20.15",
    "blob-rest, 20.16",
    "blob-features, 7.1 7.2 7.3 7.4 7.5 7.6 7.7",
    "blob-features, 10.2"
  })
  void everySectionIsNamedByACase(String document, String sections) {
    assertThat(evidence())
        .containsAll(
            Arrays.stream(sections.split(" ", -1)).map(each -> document + " " + each).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "addressing", "headers", "levels", "types", "timestamps", "concurrency", "limits", "tables",
        "queries", "batch", "upsert matrix", "ACL", "properties", "stats", "CORS", "errors"
      })
  void everyLineOfTheTestListIsNamedByACase(String area) {
    assertThat(evidence()).contains("table-rest 15 " + area);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create",
        "texts",
        "ttl",
        "visibility",
        "numofmessages",
        "receipts",
        "dequeue count",
        "consumers",
        "kills",
        "count",
        "list",
        "ACL",
        "properties",
        "CORS",
        "headers",
        "versions"
      })
  void everyLineOfTheListForQueuesIsNamedByACase(String line) {
    assertThat(evidence()).contains("queue-rest 14 " + line);
  }

  /** The rows of the table in blob-features 10.2; see docs/differences.md for what is kept. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void everyFindingOfTheUpstreamSuitesIsNamedByACase(int row) {
    Pattern named = Pattern.compile("blob-features .*\\bA" + row + "\\b");
    assertThat(cases())
        .anyMatch(
            method -> marks(method).stream().anyMatch(mark -> named.matcher(mark.value()).find()));
  }

  /**
   * Returns every section that a case names, with and without the words after its number. For
   * example, {@code table-rest 8.1, 15 batch: why; auth 7} names three sections.
   */
  private static Set<String> evidence() {
    Set<String> sections = new HashSet<>();
    for (Method method : cases()) {
      for (Documented mark : marks(method)) {
        for (String clause : mark.value().split(";", -1)) {
          addSections(clause.split(":", -1)[0].strip(), sections);
        }
      }
    }
    return sections;
  }

  private static List<Documented> marks(Method method) {
    return Stream.of(
            method.getAnnotation(Documented.class),
            method.getDeclaringClass().getAnnotation(Documented.class))
        .filter(Objects::nonNull)
        .toList();
  }

  private static void addSections(String clause, Set<String> sections) {
    String document = clause.split(" ", -1)[0];
    for (String part : clause.split(",", -1)) {
      String section = part.strip();
      if (!Character.isDigit(section.isEmpty() ? 'x' : section.charAt(0))) {
        document = section.split(" ", -1)[0];
        section = section.substring(document.length()).strip();
      }
      sections.add(document + " " + section);
      sections.add(document + " " + section.split(" ", -1)[0]);
    }
  }

  private static boolean has(Method method, Class<? extends Annotation> mark) {
    return method.isAnnotationPresent(mark) || method.getDeclaringClass().isAnnotationPresent(mark);
  }

  private static List<Method> cases() {
    List<Method> cases = new ArrayList<>();
    for (Class<?> type : caseClasses()) {
      Arrays.stream(type.getDeclaredMethods()).filter(EvidenceTest::isCase).forEach(cases::add);
    }
    assertThat(cases).hasSizeGreaterThan(300);
    return cases;
  }

  private static boolean isCase(Method method) {
    return method.isAnnotationPresent(Test.class)
        || method.isAnnotationPresent(ParameterizedTest.class)
        || method.isAnnotationPresent(TestFactory.class);
  }

  private static List<Class<?>> caseClasses() {
    try {
      Path root = Path.of(Covers.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      try (Stream<Path> files = Files.walk(root)) {
        return files
            .map(file -> root.relativize(file).toString().replace('/', '.'))
            .filter(name -> name.endsWith("ConformanceTest.class"))
            .<Class<?>>map(name -> load(name.substring(0, name.length() - ".class".length())))
            .toList();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, EvidenceTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
