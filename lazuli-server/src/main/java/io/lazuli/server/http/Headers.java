package io.lazuli.server.http;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The headers of a request. Names are compared without regard to case. */
public interface Headers {
  /** Returns the first value; null if there is none. */
  @Nullable String first(String name);

  /** Returns the names that were sent, in any case. */
  Set<String> names();

  /** Returns all values, in order. */
  List<String> all(String name);
}
