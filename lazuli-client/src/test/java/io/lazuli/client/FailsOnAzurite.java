package io.lazuli.client;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Marks tests that meet a known fault of Azurite. */
@Tag(FailsOnAzurite.TAG)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface FailsOnAzurite {
  /** The tag of these tests. */
  String TAG = "fails-on-azurite";

  /** Returns what Azurite does. */
  String value();
}
