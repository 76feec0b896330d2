package io.lazuli.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Evidence: the section of the protocol reference that states what the case expects. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Documented {
  /**
   * The document and the section, such as {@code table-rest 6.9}. Several sections are separated by
   * commas, several documents by semicolons; a colon starts a description.
   */
  String value();
}
