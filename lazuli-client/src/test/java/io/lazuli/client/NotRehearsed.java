package io.lazuli.client;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Marks tests that contradict a rehearsal of faults by their nature. */
@Tag(NotRehearsed.TAG)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface NotRehearsed {
  /** The tag of these tests. */
  String TAG = "not-rehearsed";

  /** The usual reason: a fault adds requests. */
  String COUNTS_REQUESTS = "counts requests, and faults add some";

  /** Returns the reason. */
  String value();
}
