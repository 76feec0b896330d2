package io.lazuli.server.blob.service;

import io.lazuli.storage.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Groups the blobs of a listing by prefix and delimiter (blob-rest 13): tells for each name whether
 * it is an item itself or stands for a group, and where to go on behind the group, so that a group
 * costs one seek whatever its size. Works on the UTF-8 of names; as no character's bytes occur
 * inside another's, that is the same as working on characters.
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

  /** The first key that may belong to the listing. */
  public Bytes from() {
    return Bytes.of(prefix);
  }

  /** The first key behind the listing; null for the end of the container. */
  public @Nullable Bytes to() {
    return prefix.length == 0 ? null : firstAfter(Bytes.of(prefix));
  }

  /**
   * The group that a name of the listing belongs to: its beginning up to and with the first
   * delimiter behind the prefix.
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

  /** The first key behind all that begin so. The last byte of UTF-8 can always be raised by one. */
  public static Bytes firstAfter(Bytes beginning) {
    byte[] next = beginning.array().clone();
    next[next.length - 1]++;
    return Bytes.of(next);
  }
}
