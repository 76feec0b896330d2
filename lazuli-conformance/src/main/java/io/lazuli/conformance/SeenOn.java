package io.lazuli.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Evidence: the service on which what the case expects was seen, and when. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface SeenOn {
  Service value();

  /** The day or the years of the recording. */
  String date();

  /** A service that this suite can be pointed at. */
  enum Service {
    AZURE,
    AZURITE
  }
}
