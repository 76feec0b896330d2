package io.lazuli.client.entity;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A component of a record or a property of a class, with its accessors.
 *
 * @param owner the mapped class
 * @param declared the declared type
 * @param mayBeNull whether the member may be null
 * @param marked the elements that may carry the member's annotations
 * @param setter sets the member of a bean or of a builder; null if a constructor does
 */
record Member(
    Class<?> owner,
    String name,
    Type declared,
    boolean mayBeNull,
    List<AnnotatedElement> marked,
    Function<Object, @Nullable Object> getter,
    @Nullable BiConsumer<Object, @Nullable Object> setter) {

  <A extends Annotation> @Nullable A mark(Class<A> annotation) {
    for (AnnotatedElement element : marked) {
      A found = element.getAnnotation(annotation);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  boolean has(Class<? extends Annotation> annotation) {
    return mark(annotation) != null;
  }

  boolean isOptional() {
    return declared instanceof ParameterizedType type && type.getRawType() == Optional.class;
  }

  /** Returns the type of the stored values: for an {@code Optional}, the type of its content. */
  Type type() {
    return isOptional() ? ((ParameterizedType) declared).getActualTypeArguments()[0] : declared;
  }

  MappingFailure failure(String text) {
    return new MappingFailure(qualifiedName() + " " + text);
  }

  /** Returns the name of the member for messages: {@code Employee.age}. */
  String qualifiedName() {
    return owner.getName() + "." + name;
  }
}
