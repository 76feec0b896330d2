package io.lazuli.server.blob.request;

import io.lazuli.storage.Bytes;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The bounds that a listing has in addition to its prefix (blob-features 4.4).
 *
 * @param from the first name that is listed; empty for any
 * @param before the first name that is not listed any more; empty for none
 */
public record NameBounds(String from, String before) {
  public static final NameBounds NONE = new NameBounds("", "");

  /**
   * Returns the first key of a page.
   *
   * @param first the first key of the listing without bounds
   * @param marker replaces the lower bound, which clients repeat for every page
   */
  public Bytes start(Bytes first, @Nullable ListMarker marker) {
    Bytes asked = marker == null ? bytes(from) : marker.key();
    return asked.compareTo(first) > 0 ? asked : first;
  }

  /**
   * Returns the first key after the listing; null for the end of the container.
   *
   * @param last the same for the listing without bounds
   */
  public @Nullable Bytes end(@Nullable Bytes last) {
    if (before.isEmpty()) {
      return last;
    }
    Bytes end = bytes(before);
    return last == null || end.compareTo(last) < 0 ? end : last;
  }

  private static Bytes bytes(String name) {
    return Bytes.of(name.getBytes(StandardCharsets.UTF_8));
  }
}
