package io.lazuli.conformance.runner;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.SeenOn;
import io.lazuli.conformance.StorageService;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The annotations of a case: its service, its area, the evidence for its expectation, and the known
 * service that behaves differently (empty if there is none).
 */
record CaseMarks(StorageService service, Area area, String evidence, String differs) {

  /**
   * Matches the evidence of a case whose outcome the reference leaves open, so that Lazuli had to
   * choose.
   */
  private static final Pattern OWN_CHOICE =
      Pattern.compile(": do\\b|\\b(architecture|mission)\\b|: the lenient reading");

  static CaseMarks of(Method method) {
    Class<?> type = method.getDeclaringClass();
    Covers covers =
        find(Covers.class, method, type)
            .orElseThrow(() -> new IllegalStateException("no area: " + method));
    StorageService service = find(Covers.class, type).orElse(covers).service();
    return new CaseMarks(service, covers.value(), evidence(method, type), differs(method, type));
  }

  /**
   * Returns the marks for a failure outside of a method. A class without annotations has the marks
   * of its first case.
   */
  static CaseMarks of(Class<?> type) {
    Optional<Covers> covers = find(Covers.class, type);
    if (covers.isPresent()) {
      Covers mark = covers.get();
      return new CaseMarks(mark.service(), mark.value(), evidence(type), differs(type));
    }
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Covers.class))
        .findFirst()
        .map(CaseMarks::of)
        .orElseThrow(() -> new IllegalStateException("no area: " + type));
  }

  /**
   * Returns true if the reference leaves the behaviour open, so that another service may differ and
   * still be right.
   */
  boolean isOwnChoice() {
    return OWN_CHOICE.matcher(evidence).find();
  }

  private static String evidence(AnnotatedElement... elements) {
    String documented = find(Documented.class, elements).map(Documented::value).orElse("");
    String seen =
        find(SeenOn.class, elements)
            .map(mark -> "seen on " + capitalised(mark.value().name()) + " " + mark.date())
            .orElse("");
    return String.join("; ", Stream.of(documented, seen).filter(s -> !s.isEmpty()).toList());
  }

  private static String differs(AnnotatedElement... elements) {
    return find(Differs.class, elements).map(Differs::value).orElse("");
  }

  private static String capitalised(String name) {
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the annotation of the first element that has it. Callers pass the method before the
   * class.
   */
  private static <A extends Annotation> Optional<A> find(
      Class<A> mark, AnnotatedElement... elements) {
    return Arrays.stream(elements)
        .map(element -> element.getAnnotation(mark))
        .filter(Objects::nonNull)
        .findFirst();
  }
}
