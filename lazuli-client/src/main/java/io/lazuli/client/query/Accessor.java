package io.lazuli.client.query;

import java.beans.Introspector;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;

/**
 * A reference to the method that reads a member, such as {@code Employee::age}. It is serialisable
 * only so that {@link #member} can read the name of the method.
 *
 * @param <T> the mapped type
 * @param <V> the type of the member
 */
@FunctionalInterface
public interface Accessor<T, V> extends Serializable {
  /** Returns the value of the member. */
  V of(T value);

  /**
   * Returns the name of the member.
   *
   * @throws IllegalArgumentException if this is not a method reference
   */
  default String member() {
    try {
      Method replace = getClass().getDeclaredMethod("writeReplace");
      replace.setAccessible(true);
      String method = ((SerializedLambda) replace.invoke(this)).getImplMethodName();
      if (method.startsWith("lambda$")) {
        throw new IllegalArgumentException("not a method reference such as Employee::age");
      }
      return memberOf(method);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("not a method reference such as Employee::age", e);
    }
  }

  private static String memberOf(String method) {
    if (method.matches("get\\p{Lu}.*")) {
      return Introspector.decapitalize(method.substring(3));
    }
    return method.matches("is\\p{Lu}.*") ? Introspector.decapitalize(method.substring(2)) : method;
  }
}
