package io.lazuli.client.entity;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the prefix of the row keys of all entities of a class, as in {@code empid_000223}. A
 * sealed family uses it to identify the class of an entity. A value whose row key begins otherwise
 * is rejected.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RowKeyPrefix {
  /** The prefix, including its separator. */
  String value();
}
