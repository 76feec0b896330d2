package io.lazuli.client.entity;

import static java.util.Objects.requireNonNull;

import java.beans.ConstructorProperties;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the constructor whose parameters are the members of a class, as Kotlin's data classes,
 * Lombok's {@code @Value} and immutable classes have one.
 */
final class ConstructorShapes {
  private ConstructorShapes() {}

  /**
   * Returns the shape of the constructor that is marked with {@link ConstructorProperties}; null if
   * there is none.
   */
  static @Nullable Shape marked(Access access) {
    List<Constructor<?>> marked = constructors(access).filter(ConstructorShapes::isMarked).toList();
    if (marked.isEmpty()) {
      return null;
    }
    Constructor<?> largest = largest(access, marked);
    String fault = fault(access, largest);
    if (fault != null) {
      throw new MappingFailure(access.type().getName() + ": " + fault);
    }
    return shape(access, largest);
  }

  /** Returns the shape of the constructor with the most parameters; null if none fits. */
  static @Nullable Shape unmarked(Access access) {
    List<Constructor<?>> fitting =
        constructors(access).filter(each -> fault(access, each) == null).toList();
    return fitting.isEmpty() ? null : shape(access, largest(access, fitting));
  }

  /** Returns the failure of a class that has no fitting constructor. */
  static MappingFailure failure(Access access) {
    String fault =
        constructors(access)
            .max(Comparator.comparing(Constructor::getParameterCount))
            .map(largest -> "; " + fault(access, largest))
            .orElse("");
    return new MappingFailure(
        access.type().getName()
            + " is not a record and has no constructor without parameters, no builder() and no"
            + " constructor for its members"
            + fault);
  }

  private static Stream<Constructor<?>> constructors(Access access) {
    return Stream.<Constructor<?>>of(access.type().getDeclaredConstructors())
        .filter(each -> !each.isSynthetic() && each.getParameterCount() > 0);
  }

  private static boolean isMarked(Constructor<?> constructor) {
    return constructor.isAnnotationPresent(ConstructorProperties.class);
  }

  private static Constructor<?> largest(Access access, List<Constructor<?>> constructors) {
    int most = constructors.stream().mapToInt(Constructor::getParameterCount).max().orElseThrow();
    List<Constructor<?>> largest =
        constructors.stream().filter(each -> each.getParameterCount() == most).toList();
    if (largest.size() > 1) {
      throw new MappingFailure(
          "%s has %d constructors with %d parameters; mark one with @ConstructorProperties"
              .formatted(access.type().getName(), largest.size(), most));
    }
    return largest.get(0);
  }

  /** Returns why the members cannot be the parameters of a constructor; null if they can. */
  private static @Nullable String fault(Access access, Constructor<?> constructor) {
    List<String> names = names(constructor);
    if (names.size() != constructor.getParameterCount()) {
      return "the names of the parameters of "
          + constructor
          + " are not known; compile with -parameters (Kotlin: -java-parameters), or mark it with"
          + " @ConstructorProperties";
    }
    for (int i = 0; i < names.size(); i++) {
      Class<?> type = constructor.getParameterTypes()[i];
      if (ClassShapes.getter(access, names.get(i), type) == null) {
        return "the parameter %s of %s has no public accessor %s() or get… that returns a %s"
            .formatted(names.get(i), constructor, names.get(i), type.getSimpleName());
      }
    }
    return null;
  }

  /** Returns the names of the parameters; empty if they are not known. */
  private static List<String> names(Constructor<?> constructor) {
    ConstructorProperties given = constructor.getAnnotation(ConstructorProperties.class);
    if (given != null) {
      return List.of(given.value());
    }
    return Stream.of(constructor.getParameters()).allMatch(Parameter::isNamePresent)
        ? Stream.of(constructor.getParameters()).map(Parameter::getName).toList()
        : List.of();
  }

  private static Shape shape(Access access, Constructor<?> constructor) {
    List<String> names = names(constructor);
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Class<?> type = constructor.getParameterTypes()[i];
      Method getter = requireNonNull(ClassShapes.getter(access, names.get(i), type));
      boolean mayBeNull = !type.isPrimitive() && !getter.getReturnType().isPrimitive();
      members.add(ClassShapes.member(access, names.get(i), getter, mayBeNull, null, null));
    }
    ClassShapes.settable(access).stream()
        .filter(member -> !names.contains(member.name()))
        .forEach(members::add);
    return new Shape(access.type(), List.copyOf(members), access.handle(constructor), Shape.ITSELF);
  }
}
