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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;

/** Every case says which part of the service it covers and on what evidence. */
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

  private static boolean has(Method method, Class<? extends Annotation> mark) {
    return method.isAnnotationPresent(mark) || method.getDeclaringClass().isAnnotationPresent(mark);
  }

  private static List<Method> cases() {
    List<Method> cases = new ArrayList<>();
    for (Class<?> type : caseClasses()) {
      Arrays.stream(type.getDeclaredMethods()).filter(EvidenceTest::isCase).forEach(cases::add);
    }
    assertThat(cases).hasSizeGreaterThan(150);
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
