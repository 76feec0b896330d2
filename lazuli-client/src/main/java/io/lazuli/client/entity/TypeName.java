package io.lazuli.client.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the type of the entities of a class and, when the class evolves, its version. Both are
 * stored in the property {@code EntityType}: as {@code Employee} or, from the second version on, as
 * {@code Employee_V2}. They are checked when an entity is read.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface TypeName {
  /** The name, the same for all versions. */
  String value();

  /** The version, from 1. */
  int version() default 1;
}
