package io.lazuli.client.entity;

import java.beans.Introspector;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the shape of a class that is not a record: that of a bean, of a class with a builder, or of
 * a class with a constructor for its members. If several fit, the first that sets the most members
 * is used. So a Kotlin class whose parameters all have defaults, which therefore also has a
 * constructor without parameters, is not taken for a bean.
 */
final class ClassShapes {
  private ClassShapes() {}

  static Shape of(Access access) {
    Class<?> type = access.type();
    boolean instantiable =
        !type.isInterface() && !Modifier.isAbstract(type.getModifiers()) && !type.isEnum();
    Shape marked = instantiable ? ConstructorShapes.marked(access) : null;
    if (marked != null) {
      return marked;
    }
    Shape best = instantiable ? bean(access) : null;
    best = larger(best, builder(access));
    best = larger(best, instantiable ? ConstructorShapes.unmarked(access) : null);
    if (best == null) {
      throw instantiable
          ? ConstructorShapes.failure(access)
          : new MappingFailure(
              type.getName()
                  + " must be a record, a sealed type or a class that can be instantiated or that"
                  + " has a static method builder()");
    }
    return best;
  }

  private static @Nullable Shape larger(@Nullable Shape first, @Nullable Shape second) {
    return first == null || (second != null && second.hasMoreThan(first)) ? second : first;
  }

  private static @Nullable Shape bean(Access access) {
    Class<?> type = access.type();
    Constructor<?> constructor =
        Stream.of(type.getDeclaredConstructors())
            .filter(each -> each.getParameterCount() == 0)
            .findFirst()
            .orElse(null);
    if (constructor == null) {
      return null;
    }
    return new Shape(type, settable(access), access.handle(constructor), Shape.ITSELF);
  }

  /** Returns the members that have a getter and a setter, and the public fields. */
  static List<Member> settable(Access access) {
    Map<String, Member> members = new TreeMap<>();
    access
        .methods()
        .forEach(
            getter -> {
              Member member = accessed(access, getter);
              if (member != null) {
                members.put(member.name(), member);
              }
            });
    for (Field field : access.type().getFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) {
        members.putIfAbsent(field.getName(), ofField(access, field));
      }
    }
    return List.copyOf(members.values());
  }

  /** Returns the member of a getter, or null if there is no matching setter. */
  private static @Nullable Member accessed(Access access, Method getter) {
    String capital = afterPrefix(getter);
    if (capital == null || getter.getParameterCount() > 0) {
      return null;
    }
    Method setter =
        access
            .methods()
            .filter(method -> method.getName().equals("set" + capital))
            .filter(method -> takesOnly(method, getter.getReturnType()))
            .findFirst()
            .orElse(null);
    if (setter == null) {
      return null;
    }
    return member(
        access,
        Introspector.decapitalize(capital),
        getter,
        !getter.getReturnType().isPrimitive(),
        setter,
        access.setter(setter));
  }

  private static boolean takesOnly(Method method, Class<?> type) {
    return method.getParameterCount() == 1 && method.getParameterTypes()[0] == type;
  }

  private static @Nullable String afterPrefix(Method getter) {
    String name = getter.getName();
    if (name.startsWith("get") && name.length() > 3) {
      return name.substring(3);
    }
    boolean isTest = name.startsWith("is") && name.length() > 2;
    return isTest && getter.getReturnType() == boolean.class ? name.substring(2) : null;
  }

  private static Member ofField(Access access, Field field) {
    return new Member(
        access.type(),
        field.getName(),
        field.getGenericType(),
        !field.getType().isPrimitive(),
        List.of(field),
        access.getter(field),
        access.setter(field));
  }

  private static @Nullable Shape builder(Access access) {
    return Stream.of(access.type().getMethods())
        .filter(method -> Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> List.of("builder", "newBuilder").contains(method.getName()))
        .map(method -> builder(access, method))
        .flatMap(Stream::ofNullable)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Shape builder(Access access, Method begin) {
    Class<?> type = access.type();
    Method build =
        Stream.of(begin.getReturnType().getMethods())
            .filter(method -> method.getName().equals("build") && method.getParameterCount() == 0)
            .filter(method -> type.isAssignableFrom(method.getReturnType()))
            .findFirst()
            .orElse(null);
    if (build == null) {
      return null;
    }
    Access builder = Access.to(begin.getReturnType());
    Map<String, Member> members = new TreeMap<>();
    for (Method setter : builder.methods().filter(each -> each.getParameterCount() == 1).toList()) {
      for (String name : memberNames(setter.getName())) {
        Class<?> parameter = setter.getParameterTypes()[0];
        Method getter = getter(access, name, parameter);
        boolean exact = getter != null && getter.getReturnType() == parameter;
        if (getter != null && (exact || !members.containsKey(name))) {
          boolean mayBeNull = !parameter.isPrimitive() && !getter.getReturnType().isPrimitive();
          members.put(
              name, member(access, name, getter, mayBeNull, setter, builder.setter(setter)));
        }
      }
    }
    return new Shape(
        type, List.copyOf(members.values()), access.handle(begin), builder.handle(build));
  }

  /** Returns the members that a method of a builder may set: {@code age}, {@code setAge}. */
  private static List<String> memberNames(String method) {
    List<String> names = new ArrayList<>(List.of(method));
    for (String prefix : List.of("set", "with")) {
      if (method.startsWith(prefix) && method.length() > prefix.length()) {
        names.add(Introspector.decapitalize(method.substring(prefix.length())));
      }
    }
    return names;
  }

  /**
   * Returns the accessor of a member.
   *
   * @param type the type of values that the builder or the constructor takes
   * @return null if there is no such accessor
   */
  static @Nullable Method getter(Access access, String name, Class<?> type) {
    String capital = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    for (String method : List.of(name, "get" + capital, "is" + capital)) {
      Method found =
          access
              .methods()
              .filter(each -> each.getName().equals(method) && each.getParameterCount() == 0)
              .filter(each -> boxed(type).isAssignableFrom(boxed(each.getReturnType())))
              .findFirst()
              .orElse(null);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  /**
   * Creates a member.
   *
   * @param set the method that sets it, which may carry annotations; null if a constructor does
   * @param setter calls that method
   */
  static Member member(
      Access access,
      String name,
      Method getter,
      boolean mayBeNull,
      @Nullable Method set,
      @Nullable BiConsumer<Object, @Nullable Object> setter) {
    List<AnnotatedElement> marked = new ArrayList<>(List.of(getter));
    if (set != null) {
      marked.add(set);
    }
    access.fields().filter(field -> field.getName().equals(name)).forEach(marked::add);
    return new Member(
        access.type(),
        name,
        getter.getGenericReturnType(),
        mayBeNull,
        List.copyOf(marked),
        access.getter(getter),
        setter);
  }
}
