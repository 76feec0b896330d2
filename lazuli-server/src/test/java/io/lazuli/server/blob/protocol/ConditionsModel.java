package io.lazuli.server.blob.protocol;

import io.lazuli.server.http.HttpDate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The conditional headers of a request and their outcome by the tables of blob-rest 4, written
 * independently of the server's code. Null stands for a header that is not sent.
 *
 * @param match tags; {@code *} for any
 * @param modified seconds since the epoch
 */
record ConditionsModel(
    @Nullable List<String> match,
    @Nullable List<String> noneMatch,
    @Nullable Long modified,
    @Nullable Long unmodified) {
  static final ConditionsModel NONE = new ConditionsModel(null, null, null, null);

  private static final List<String> STALE = List.of("\"0x1\"", "\"0x8DA6529DB030ECA\"");

  /**
   * Returns random conditions, or none; most refer to the current state.
   *
   * @param tag of the resource; null if there is none
   */
  static ConditionsModel random(Random random, @Nullable String tag, long seconds) {
    if (random.nextInt(3) > 0) {
      return NONE;
    }
    // Usually one header: writes allow few combinations.
    int which = random.nextBoolean() ? 1 << random.nextInt(4) : random.nextInt(16);
    return new ConditionsModel(
        (which & 1) == 0 ? null : tags(random, tag),
        (which & 2) == 0 ? null : tags(random, tag),
        (which & 4) == 0 ? null : seconds + random.nextInt(3) - 1,
        (which & 8) == 0 ? null : seconds + random.nextInt(3) - 1);
  }

  private static List<String> tags(Random random, @Nullable String tag) {
    String known = tag == null ? STALE.get(1) : tag;
    return switch (random.nextInt(8)) {
      case 0, 1 -> List.of(known);
      case 2 -> List.of(known.replace("\"", ""));
      case 3 -> List.of("*");
      case 4 -> List.of(STALE.get(0), known);
      case 5 -> STALE;
      default -> List.of(STALE.get(0));
    };
  }

  ConditionsModel datesOnly() {
    return new ConditionsModel(null, null, modified, unmodified);
  }

  List<String> headers(String prefix) {
    List<String> headers = new ArrayList<>();
    if (match != null) {
      headers.add(prefix + "If-Match: " + String.join(", ", match));
    }
    if (noneMatch != null) {
      headers.add(prefix + "If-None-Match: " + String.join(", ", noneMatch));
    }
    if (modified != null) {
      headers.add(prefix + "If-Modified-Since: " + date(modified));
    }
    if (unmodified != null) {
      headers.add(prefix + "If-Unmodified-Since: " + date(unmodified));
    }
    return headers;
  }

  private static String date(long seconds) {
    return HttpDate.format(Instant.ofEpochSecond(seconds));
  }

  /**
   * Returns why a write may not have this combination of headers (blob-rest 4.2); null if it may.
   */
  @Nullable Expected form() {
    int count = headers("").size();
    boolean pair = (match != null && unmodified != null) || (noneMatch != null && modified != null);
    boolean allowed = count < 2 || (count == 2 && pair);
    return allowed && !isList(match) && !isList(noneMatch)
        ? null
        : Expected.of(400, "MultipleConditionHeadersNotSupported");
  }

  /** Returns why an existing resource is not read (blob-rest 4.1 and 4.2); null if it is. */
  @Nullable Expected read(String tag, long changed) {
    boolean matches = match == null || isNamed(match, tag);
    boolean old = unmodified == null || changed <= unmodified;
    if (!matches || !old) {
      return Expected.of(412, "ConditionNotMet");
    } else if (noneMatch != null && noneMatch.contains("*")) {
      return Expected.of(400, "UnsatisfiableCondition");
    }
    boolean none = noneMatch != null && !isNamed(noneMatch, tag);
    boolean newer = modified != null && changed > modified;
    boolean asked = noneMatch != null || modified != null;
    return !asked || none || newer ? null : Expected.of(304, "ConditionNotMet");
  }

  /**
   * Returns why an existing resource is not written (blob-rest 4.1 and 4.2); null if it is.
   *
   * @param creates true if the operation creates a blob
   */
  @Nullable Expected write(String tag, long changed, boolean creates, String code) {
    boolean met;
    if (match != null) {
      met = isNamed(match, tag);
    } else if (noneMatch != null) {
      if (noneMatch.contains("*")) {
        return creates ? Expected.of(409, "BlobAlreadyExists") : null;
      }
      met = !isNamed(noneMatch, tag);
    } else if (modified != null) {
      met = changed > modified;
    } else {
      met = unmodified == null || changed <= unmodified;
    }
    return met ? null : Expected.of(412, code);
  }

  private static boolean isList(@Nullable List<String> tags) {
    return tags != null && tags.size() > 1;
  }

  private static boolean isNamed(List<String> tags, String tag) {
    String bare = tag.replace("\"", "");
    return tags.stream().anyMatch(t -> t.equals("*") || t.replace("\"", "").equals(bare));
  }
}
