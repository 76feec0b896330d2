package io.lazuli.server.protocol;

import io.lazuli.server.http.PercentEncoding;
import io.lazuli.server.http.Request;
import org.jspecify.annotations.Nullable;

/**
 * A path below the account, split after its first segment and decoded: a container and, optionally,
 * a blob. In the name of a blob, an escaped slash is a slash, and so is a backslash (blob-rest
 * 3.1).
 *
 * @param first the first segment; empty if there is none
 * @param rest null if nothing, or only a slash, follows the first segment
 */
public record CutPath(String first, @Nullable String rest) {
  /** The container of the blobs that are addressed without a container. */
  private static final String ROOT = "$root";

  /**
   * Splits a path. Returns null if the path cannot be decoded, if its first segment contains a
   * slash, or if something follows an empty first segment.
   */
  public static @Nullable CutPath of(String path) {
    int slash = path.indexOf('/', 1);
    String first = PercentEncoding.decode(path.substring(path.isEmpty() ? 0 : 1, end(path, slash)));
    String rest = slash < 0 ? "" : PercentEncoding.decode(path.substring(slash + 1));
    if (first == null || rest == null || first.indexOf('/') >= 0) {
      return null;
    }
    return first.isEmpty() && !rest.isEmpty()
        ? null
        : new CutPath(first, rest.isEmpty() ? null : rest.replace('\\', '/'));
  }

  /**
   * Splits the path of a request to the blob service. A single segment is a blob in {@code $root},
   * unless the parameter {@code restype} says that it is a container (blob-features 4.1).
   */
  public static @Nullable CutPath ofBlobs(Request request) {
    CutPath path = of(request.address().path());
    if (path == null || path.rest != null || path.first.isEmpty()) {
      return path;
    }
    String kind = request.query().firstIgnoringCase("restype");
    return kind == null || kind.isEmpty() ? new CutPath(ROOT, path.first.replace('\\', '/')) : path;
  }

  private static int end(String path, int slash) {
    return slash < 0 ? path.length() : slash;
  }
}
