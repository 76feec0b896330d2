package io.lazuli.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the area of a case, or of all cases of a class. The area of a method overrides the area of
 * its class. The service does not: if the class is annotated, its service applies to all methods,
 * so that they need not repeat it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Covers {
  Area value();

  StorageService service() default StorageService.TABLE;
}
