package io.lazuli.server.protocol;

import io.lazuli.server.http.PercentEncoding;
import org.jspecify.annotations.Nullable;

/**
 * A path below the account, cut behind its first segment and decoded: a container and, if something
 * follows, a blob, in whose name an escaped slash is a slash (blob-rest 3.1).
 *
 * @param first empty if there is no segment
 * @param rest null if nothing follows the first segment but perhaps a slash
 */
public record CutPath(String first, @Nullable String rest) {
  /** Null if the path does not decode, or its first segment holds a slash. */
  public static @Nullable CutPath of(String path) {
    int slash = path.indexOf('/', 1);
    String first = PercentEncoding.decode(path.substring(path.isEmpty() ? 0 : 1, end(path, slash)));
    String rest = slash < 0 ? "" : PercentEncoding.decode(path.substring(slash + 1));
    if (first == null || rest == null || first.indexOf('/') >= 0) {
      return null;
    }
    return first.isEmpty() && !rest.isEmpty()
        ? null
        : new CutPath(first, rest.isEmpty() ? null : rest);
  }

  private static int end(String path, int slash) {
    return slash < 0 ? path.length() : slash;
  }
}
