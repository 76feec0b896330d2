package io.lazuli.client.entity;

import static java.lang.invoke.MethodType.genericMethodType;
import static java.lang.invoke.MethodType.methodType;

import com.azure.data.tables.models.TableEntity;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The members of a record or class, and how its values are created.
 *
 * @param members first the parameters of the maker, in their order, then those that have a setter
 * @param maker a constructor, or a method that creates a builder
 * @param finisher takes the result of the maker, whose setters have been called, and returns the
 *     value
 */
record Shape(Class<?> type, List<Member> members, MethodHandle maker, MethodHandle finisher) {
  /** The finisher of values that the maker creates. */
  static final MethodHandle ITSELF = MethodHandles.identity(Object.class);

  private static final Class<TableEntity> ENTITY = TableEntity.class;

  private static final MethodHandle BEGUN =
      Handles.of(MethodHandles.lookup(), Mapping.class, "begun", methodType(ENTITY, Object.class));

  static Shape of(Class<?> type) {
    Access access = Access.to(type);
    return type.isRecord() ? ofRecord(access) : ClassShapes.of(access);
  }

  private static Shape ofRecord(Access access) {
    Class<?> type = access.type();
    List<Member> members = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      Method accessor = component.getAccessor();
      members.add(
          new Member(
              type,
              component.getName(),
              component.getGenericType(),
              isNullable(component.getAnnotatedType(), component, accessor),
              List.of(component, accessor),
              access.getter(accessor),
              null));
    }
    return new Shape(type, List.copyOf(members), access.handle(canonicalConstructor(type)), ITSELF);
  }

  private static Constructor<?> canonicalConstructor(Class<?> type) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      return type.getDeclaredConstructor(types);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e); // Every record has one.
    }
  }

  private static boolean isNullable(AnnotatedElement... elements) {
    return Stream.of(elements)
        .flatMap(element -> Stream.of(element.getAnnotations()))
        .map(Annotation::annotationType)
        .anyMatch(annotation -> annotation.getSimpleName().equals("Nullable"));
  }

  /**
   * Returns whether this shape has all members of the other one, and more. If the maker has
   * parameters, only these count.
   */
  boolean hasMoreThan(Shape other) {
    return names().size() > other.names().size() && names().containsAll(other.names());
  }

  private Set<String> names() {
    int parameters = maker.type().parameterCount();
    return members.stream()
        .limit(parameters == 0 ? members.size() : parameters)
        .map(Member::name)
        .collect(Collectors.toSet());
  }

  /**
   * Returns a handle that takes an entity and returns the value, as an object. Like the writer, it
   * is one tree of method handles in which the slots are constants, so that the virtual machine
   * compiles it like handwritten code.
   *
   * @param slots the slots of the members, in their order
   */
  MethodHandle reader(List<Slot> slots) {
    MethodHandle made = made(slots).asType(methodType(Object.class, ENTITY));
    List<Slot> others = slots.subList(maker.type().parameterCount(), slots.size());
    return MethodHandles.filterReturnValue(
        filled(made, others.stream().map(Slot::filler).toList()),
        finisher.asType(genericMethodType(1)));
  }

  /** Returns a handle that takes an entity and calls the maker with the values of its slots. */
  private MethodHandle made(List<Slot> slots) {
    MethodHandle[] values = new MethodHandle[maker.type().parameterCount()];
    if (values.length == 0) {
      return MethodHandles.dropArguments(maker, 0, ENTITY);
    }
    for (int i = 0; i < values.length; i++) {
      Class<?> parameter = maker.type().parameterType(i);
      values[i] = slots.get(i).reader().asType(methodType(parameter, ENTITY));
    }
    return MethodHandles.permuteArguments(
        MethodHandles.filterArguments(maker, 0, values),
        methodType(maker.type().returnType(), ENTITY),
        new int[values.length]);
  }

  /** Returns a handle that takes a value, as an object, and returns its entity. */
  static MethodHandle writer(Mapping mapping) {
    return filled(BEGUN.bindTo(mapping), mapping.properties().stream().map(Slot::writer).toList());
  }

  /**
   * Returns a handle that creates an object from a source and then calls each step with both.
   *
   * @param maker creates the object from the source
   * @param steps take the created object and the source
   */
  private static MethodHandle filled(MethodHandle maker, List<MethodHandle> steps) {
    Class<?> source = maker.type().parameterType(0);
    MethodHandle made =
        MethodHandles.dropArguments(MethodHandles.identity(maker.type().returnType()), 1, source);
    MethodHandle last = steps.isEmpty() ? made : MethodHandles.foldArguments(made, inOrder(steps));
    return MethodHandles.foldArguments(last, maker);
  }

  /**
   * Combines all steps in a balanced tree, because each level costs a call until it is compiled.
   */
  private static MethodHandle inOrder(List<MethodHandle> steps) {
    int half = steps.size() / 2;
    return half == 0
        ? steps.get(0)
        : MethodHandles.foldArguments(
            inOrder(steps.subList(half, steps.size())), inOrder(steps.subList(0, half)));
  }
}
