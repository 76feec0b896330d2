package io.lazuli.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Evidence: which known service fails this case, and what it does instead. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Differs {
  /** The service that differs and what it does, such as {@code Azurite 3.37.0 stores it}. */
  String value();
}
