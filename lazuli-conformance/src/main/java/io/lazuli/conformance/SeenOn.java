package io.lazuli.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Evidence: the service on which the expected behaviour was recorded, and when. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface SeenOn {
  Service value();

  /** The day or the years of the recordings. */
  String date();

  /** A service on which behaviour was recorded. */
  enum Service {
    AZURE,
    AZURITE
  }
}
