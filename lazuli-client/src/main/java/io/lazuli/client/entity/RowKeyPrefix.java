package io.lazuli.client.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says how the row keys of all entities of a class begin, as in {@code empid_000223}. A sealed
 * family finds the class of an entity by it. A value whose row key begins otherwise is refused.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RowKeyPrefix {
  /** The prefix, with its separator. */
  String value();
}
