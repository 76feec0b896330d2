package io.lazuli.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the area of a case, or of all cases of a class; the method's own mark wins. The service is
 * that of the class, so that a method's mark need not repeat it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Covers {
  Area value();

  StorageService service() default StorageService.TABLE;
}
