package io.lazuli.server.blob.service;

import io.lazuli.storage.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Groups the blobs of a listing by prefix and delimiter (blob-rest 13). For each name it decides
 * whether the name is an item or belongs to a group, and where the listing continues after the
 * group. A group therefore costs one seek, whatever its size. Works on the UTF-8 bytes of names. In
 * UTF-8 the bytes of one character never occur inside another character, so the result is the same
 * as with characters.
 */
public final class BlobHierarchy {
  private final byte[] prefix;
  private final byte[] delimiter;

  /**
   * Prepares a listing.
   *
   * @param delimiter empty for a flat listing
   */
  public BlobHierarchy(String prefix, String delimiter) {
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
    this.delimiter = delimiter.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the first key that may belong to the listing. */
  public Bytes from() {
    return Bytes.of(prefix);
  }

  /** Returns the first key after the listing; null for the end of the container. */
  public @Nullable Bytes to() {
    return prefix.length == 0 ? null : firstAfter(Bytes.of(prefix));
  }

  /**
   * Returns the group of a name: the beginning of the name up to and including the first delimiter
   * after the prefix.
   *
   * @return null if the name is an item itself
   */
  public @Nullable Bytes group(byte[] name) {
    if (delimiter.length == 0) {
      return null;
    }
    for (int at = prefix.length; at + delimiter.length <= name.length; at++) {
      int end = at + delimiter.length;
      if (Arrays.equals(name, at, end, delimiter, 0, delimiter.length)) {
        return Bytes.of(Arrays.copyOf(name, end));
      }
    }
    return null;
  }

  /**
   * Returns the first key after all keys with the given beginning. The last byte can always be
   * raised by one, because UTF-8 never contains the byte 0xFF.
   */
  public static Bytes firstAfter(Bytes beginning) {
    byte[] next = beginning.array().clone();
    next[next.length - 1]++;
    return Bytes.of(next);
  }
}
