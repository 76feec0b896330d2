package io.lazuli.server.http;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The headers of a request; names compare without regard to case. */
public interface Headers {
  /** The first value; null if there is none. */
  @Nullable String first(String name);

  /** The names that were sent, in any case. */
  Set<String> names();

  /** All values, in order. */
  List<String> all(String name);
}
