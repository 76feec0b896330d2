package io.lazuli.server.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The headers of a request; names compare without regard to case. */
public interface Headers {
  /** The first value; null if there is none. */
  @Nullable String first(String name);

  /** All values, in order. */
  List<String> all(String name);
}
