package io.lazuli.client.entity;

import static java.lang.invoke.MethodType.genericMethodType;
import static java.lang.invoke.MethodType.methodType;

import com.azure.data.tables.models.TableEntity;
import java.beans.Introspector;
import java.lang.annotation.Annotation;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The members of a record or bean, and the constructor that creates it. All reflection happens
 * here, once. {@code LambdaMetafactory} creates the accessors just as for a compiled method
 * reference, so that a call costs as much as a direct call of the accessor.
 */
record Shape(Class<?> type, List<Member> members, MethodHandle constructor) {
  private static final Class<TableEntity> ENTITY = TableEntity.class;

  static Shape of(Class<?> type) {
    try {
      Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      return type.isRecord() ? ofRecord(type, lookup) : ofBean(type, lookup);
    } catch (IllegalAccessException e) {
      throw new MappingFailure(
          "%s cannot be accessed; open its package to the module of %s"
              .formatted(type.getName(), Shape.class.getPackageName()),
          e);
    }
  }

  private static Shape ofRecord(Class<?> type, Lookup lookup) throws IllegalAccessException {
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
              getter(lookup, type, lookup.unreflect(accessor)),
              null));
    }
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    return new Shape(type, List.copyOf(members), constructor(type, lookup, types));
  }

  private static boolean isNullable(AnnotatedElement... elements) {
    return Stream.of(elements)
        .flatMap(element -> Stream.of(element.getAnnotations()))
        .map(Annotation::annotationType)
        .anyMatch(annotation -> annotation.getSimpleName().equals("Nullable"));
  }

  private static Shape ofBean(Class<?> type, Lookup lookup) throws IllegalAccessException {
    if (type.isInterface() || Modifier.isAbstract(type.getModifiers()) || type.isEnum()) {
      throw new MappingFailure(
          type.getName() + " must be a record, a sealed type or a class that can be instantiated");
    }
    Map<String, Member> members = new TreeMap<>();
    for (Method getter : type.getMethods()) {
      Member member = accessed(type, lookup, getter);
      if (member != null) {
        members.put(member.name(), member);
      }
    }
    for (Field field : type.getFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
        members.putIfAbsent(field.getName(), ofField(type, lookup, field));
      }
    }
    return new Shape(type, List.copyOf(members.values()), constructor(type, lookup));
  }

  /**
   * Returns a function that creates a value from an entity. Like the writer, it is one tree of
   * method handles in which the slots are constants, so that the virtual machine compiles it like
   * handwritten code.
   *
   * @param slots the slots of the members, in their order
   */
  Function<Object, Object> reader(List<Slot> slots) {
    return CompiledFunction.Maker.of(type.isRecord() ? recordOf(slots) : beanOf(slots));
  }

  private MethodHandle recordOf(List<Slot> slots) {
    MethodHandle[] values = new MethodHandle[slots.size()];
    for (int i = 0; i < values.length; i++) {
      Class<?> component = constructor.type().parameterType(i);
      values[i] = slots.get(i).reader().asType(methodType(component, ENTITY));
    }
    return MethodHandles.permuteArguments(
        MethodHandles.filterArguments(constructor, 0, values),
        methodType(type, ENTITY),
        new int[values.length]);
  }

  private MethodHandle beanOf(List<Slot> slots) {
    MethodHandle bean = constructor.asType(genericMethodType(0));
    return filled(
        MethodHandles.dropArguments(bean, 0, ENTITY), slots.stream().map(Slot::filler).toList());
  }

  /**
   * Returns a function that creates an entity from a value.
   *
   * @param begun creates an entity with the keys of the value
   * @param slots the slots of the properties
   */
  static Function<Object, Object> writer(MethodHandle begun, List<Slot> slots) {
    return CompiledFunction.Maker.of(filled(begun, slots.stream().map(Slot::writer).toList()));
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

  /** Returns the member of a getter, or null if there is no matching setter. */
  private static @Nullable Member accessed(Class<?> type, Lookup lookup, Method getter)
      throws IllegalAccessException {
    String capital = afterPrefix(getter);
    if (capital == null || getter.getParameterCount() > 0 || isStatic(getter)) {
      return null;
    }
    Method setter = setter(type, "set" + capital, getter.getReturnType());
    if (setter == null) {
      return null;
    }
    String name = Introspector.decapitalize(capital);
    List<AnnotatedElement> marked = new ArrayList<>(List.of(getter, setter));
    fields(type).filter(field -> field.getName().equals(name)).forEach(marked::add);
    return new Member(
        type,
        name,
        getter.getGenericReturnType(),
        !getter.getReturnType().isPrimitive(),
        List.copyOf(marked),
        getter(lookup, type, lookup.unreflect(getter)),
        setter(lookup, type, lookup.unreflect(setter)));
  }

  private static @Nullable String afterPrefix(Method getter) {
    String name = getter.getName();
    if (name.startsWith("get") && name.length() > 3) {
      return name.substring(3);
    }
    boolean isTest = name.startsWith("is") && name.length() > 2;
    return isTest && getter.getReturnType() == boolean.class ? name.substring(2) : null;
  }

  private static boolean isStatic(Method method) {
    return Modifier.isStatic(method.getModifiers());
  }

  private static @Nullable Method setter(Class<?> type, String name, Class<?> valueType) {
    return Stream.of(type.getMethods())
        .filter(method -> method.getName().equals(name) && !isStatic(method))
        .filter(method -> Arrays.equals(method.getParameterTypes(), new Class<?>[] {valueType}))
        .findFirst()
        .orElse(null);
  }

  private static Stream<Field> fields(Class<?> type) {
    return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
        .flatMap(each -> Stream.of(each.getDeclaredFields()));
  }

  private static Member ofField(Class<?> type, Lookup lookup, Field field)
      throws IllegalAccessException {
    MethodHandle getter = lookup.unreflectGetter(field).asType(genericMethodType(1));
    MethodHandle setter =
        lookup.unreflectSetter(field).asType(methodType(void.class, Object.class, Object.class));
    return new Member(
        type,
        field.getName(),
        field.getGenericType(),
        !field.getType().isPrimitive(),
        List.of(field),
        bean -> valueOf(getter, bean),
        (bean, value) -> set(setter, bean, value));
  }

  private static MethodHandle constructor(Class<?> type, Lookup lookup, Class<?>... parameters)
      throws IllegalAccessException {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(parameters);
      return lookup.unreflectConstructor(constructor);
    } catch (NoSuchMethodException e) {
      throw new MappingFailure(
          type.getName() + " is not a record and has no constructor without parameters; add one",
          e);
    }
  }

  @SuppressWarnings("unchecked") // The call site creates this interface.
  private static Function<Object, @Nullable Object> getter(
      Lookup lookup, Class<?> owner, MethodHandle getter) {
    MethodType exact = methodType(getter.type().returnType(), owner).wrap();
    return (Function<Object, @Nullable Object>)
        lambda(lookup, "apply", Function.class, genericMethodType(1), getter, exact);
  }

  @SuppressWarnings("unchecked") // The call site creates this interface.
  private static BiConsumer<Object, @Nullable Object> setter(
      Lookup lookup, Class<?> owner, MethodHandle setter) {
    Class<?> value = setter.type().wrap().parameterType(1);
    MethodType generic = methodType(void.class, Object.class, Object.class);
    MethodType exact = methodType(void.class, owner, value);
    return (BiConsumer<Object, @Nullable Object>)
        lambda(lookup, "accept", BiConsumer.class, generic, setter, exact);
  }

  private static Object lambda(
      Lookup lookup,
      String method,
      Class<?> functionalInterface,
      MethodType generic,
      MethodHandle body,
      MethodType exact) {
    try {
      return LambdaMetafactory.metafactory(
              lookup, method, methodType(functionalInterface), generic, body, exact)
          .getTarget()
          .invoke();
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static @Nullable Object valueOf(MethodHandle getter, Object bean) {
    try {
      return getter.invokeExact(bean);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static void set(MethodHandle setter, Object bean, @Nullable Object value) {
    try {
      setter.invokeExact(bean, value);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Returns the exception of the user's constructor or accessor unchanged if it is unchecked. */
  static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof RuntimeException exception) {
      return exception;
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    return new MappingFailure("an accessor or constructor threw an exception", thrown);
  }
}
