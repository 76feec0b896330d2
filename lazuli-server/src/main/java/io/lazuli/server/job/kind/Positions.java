package io.lazuli.server.job.kind;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Positions in a table as entries of a cursor. */
final class Positions {
  private Positions() {}

  static @Nullable String text(@Nullable Position at) {
    return at == null ? null : text(at.partition()) + "." + text(at.row());
  }

  static String text(Bytes bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  static @Nullable Position position(@Nullable String text) {
    if (text == null) {
      return null;
    }
    int dot = text.indexOf('.');
    return new Position(decoded(text.substring(0, dot)), decoded(text.substring(dot + 1)));
  }

  static @Nullable Bytes bytes(@Nullable String text) {
    return text == null ? null : decoded(text);
  }

  private static Bytes decoded(String text) {
    return Bytes.of(Base64.getUrlDecoder().decode(text));
  }
}
