package io.lazuli.client.entity;

import static java.lang.invoke.MethodType.genericMethodType;
import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The methods, fields and constructors of a class, as functions. All reflection happens here, once.
 * {@code LambdaMetafactory} creates the accessors just as for a compiled method reference, so that
 * a call costs as much as a direct call of the accessor.
 */
record Access(Class<?> type, Lookup lookup) {
  static Access to(Class<?> type) {
    try {
      return new Access(type, MethodHandles.privateLookupIn(type, MethodHandles.lookup()));
    } catch (IllegalAccessException e) {
      throw inaccessible(type, e);
    }
  }

  private static MappingFailure inaccessible(Class<?> type, IllegalAccessException cause) {
    return new MappingFailure(
        "%s cannot be accessed; open its package to the module of %s"
            .formatted(type.getName(), Access.class.getPackageName()),
        cause);
  }

  /** Returns the public methods of the class that are not static. */
  Stream<Method> methods() {
    return Stream.of(type.getMethods()).filter(method -> !Modifier.isStatic(method.getModifiers()));
  }

  /** Returns the fields of the class and of the classes that it extends, also private ones. */
  Stream<Field> fields() {
    return Stream.<Class<?>>iterate(type, each -> each != null, Class::getSuperclass)
        .flatMap(each -> Stream.of(each.getDeclaredFields()))
        .filter(field -> !Modifier.isStatic(field.getModifiers()));
  }

  MethodHandle handle(Method method) {
    try {
      return lookup.unreflect(method);
    } catch (IllegalAccessException e) {
      throw inaccessible(type, e);
    }
  }

  MethodHandle handle(Constructor<?> constructor) {
    try {
      return lookup.unreflectConstructor(constructor);
    } catch (IllegalAccessException e) {
      throw inaccessible(type, e);
    }
  }

  @SuppressWarnings("unchecked") // The call site creates this interface.
  Function<Object, @Nullable Object> getter(Method getter) {
    MethodHandle handle = handle(getter);
    if (!mayCreateLambdas()) {
      MethodHandle generic = handle.asType(genericMethodType(1));
      return owner -> valueOf(generic, owner);
    }
    MethodType exact = methodType(handle.type().returnType(), type).wrap();
    return (Function<Object, @Nullable Object>)
        lambda("apply", Function.class, genericMethodType(1), handle, exact);
  }

  @SuppressWarnings("unchecked") // The call site creates this interface.
  BiConsumer<Object, @Nullable Object> setter(Method setter) {
    MethodHandle handle = handle(setter);
    Class<?> value = handle.type().wrap().parameterType(1);
    MethodType generic = methodType(void.class, Object.class, Object.class);
    if (!mayCreateLambdas()) {
      MethodHandle untyped = handle.asType(generic);
      return (owner, to) -> set(untyped, owner, to);
    }
    MethodType exact = methodType(void.class, type, value);
    return (BiConsumer<Object, @Nullable Object>)
        lambda("accept", BiConsumer.class, generic, handle, exact);
  }

  /**
   * Returns whether the type is in the module of this library. A lookup in another module, such as
   * that of another class loader, cannot create lambdas.
   */
  private boolean mayCreateLambdas() {
    return lookup.hasFullPrivilegeAccess();
  }

  private Object lambda(
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

  Function<Object, @Nullable Object> getter(Field field) {
    try {
      MethodHandle getter = lookup.unreflectGetter(field).asType(genericMethodType(1));
      return owner -> valueOf(getter, owner);
    } catch (IllegalAccessException e) {
      throw inaccessible(type, e);
    }
  }

  BiConsumer<Object, @Nullable Object> setter(Field field) {
    try {
      MethodHandle setter =
          lookup.unreflectSetter(field).asType(methodType(void.class, Object.class, Object.class));
      return (owner, value) -> set(setter, owner, value);
    } catch (IllegalAccessException e) {
      throw inaccessible(type, e);
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
