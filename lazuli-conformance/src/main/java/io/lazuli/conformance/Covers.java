package io.lazuli.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the area of a case, or of all cases of a class. The annotation of a method overrides the
 * annotation of its class. Only the service comes from the class, if it is annotated, so that
 * methods need not repeat it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Covers {
  Area value();

  StorageService service() default StorageService.TABLE;
}
