package io.lazuli.server.table.protocol;

import io.lazuli.server.table.model.TableErrors;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Chooses the format of an answer and checks the format of a body (table-rest 4.1). */
final class MediaTypes {
  private static final Pattern WEIGHT = Pattern.compile("[01](\\.\\d{0,3})?");

  private MediaTypes() {}

  /**
   * Returns the metadata level of the answer; throws 415 if no accepted format is supported. {@code
   * $format} overrides {@code Accept}.
   */
  static MetadataLevel level(@Nullable String format, @Nullable String accept) {
    Accepted accepted = Accepted.of(format, accept);
    if (accepted.level() != null) {
      return accepted.level();
    }
    if (accepted.verbose()) {
      throw TableErrors.VERBOSE_NOT_SUPPORTED.exception();
    }
    throw (accepted.xml() ? TableErrors.ATOM_NOT_SUPPORTED : TableErrors.MEDIA_TYPE_NOT_SUPPORTED)
        .exception();
  }

  /**
   * Returns the metadata level of an error answer, chosen as for other answers; null if the error
   * must be XML, because the request does not accept JSON. Verbose JSON is not supported, so a
   * request for it gets the default level.
   */
  static @Nullable MetadataLevel errorLevel(@Nullable String format, @Nullable String accept) {
    Accepted accepted = Accepted.of(format, accept);
    return accepted.level() == null && accepted.verbose()
        ? MetadataLevel.MINIMAL
        : accepted.level();
  }

  /** Throws if the content type of a body is not JSON. */
  static void checkBody(@Nullable String contentType) {
    if (contentType == null || contentType.isBlank()) {
      return;
    }
    String type = typeOf(contentType);
    if (isXml(type)) {
      throw TableErrors.ATOM_NOT_SUPPORTED.exception();
    }
    if (!type.equals("application/json")) {
      throw TableErrors.MEDIA_TYPE_NOT_SUPPORTED.exception();
    }
  }

  /**
   * The formats that a request accepts.
   *
   * @param level the metadata level of the best JSON entry; null if no JSON entry is supported
   * @param verbose true if the request accepts verbose JSON
   * @param xml true if the request accepts XML
   */
  private record Accepted(@Nullable MetadataLevel level, boolean verbose, boolean xml) {
    private static final Accepted DEFAULT = new Accepted(MetadataLevel.MINIMAL, false, false);

    /** The header that was parsed last. Most requests have the same. */
    private static volatile Known known = new Known("", DEFAULT);

    private record Known(String list, Accepted accepted) {}

    static Accepted of(@Nullable String format, @Nullable String accept) {
      if (format != null && !format.isBlank()) {
        return format.strip().equals("json") ? DEFAULT : parse(format);
      }
      if (accept == null) {
        return DEFAULT;
      }
      Known last = known;
      if (!last.list.equals(accept)) {
        last = new Known(accept, accept.isBlank() ? DEFAULT : parse(accept));
        known = last;
      }
      return last.accepted;
    }

    private static Accepted parse(String list) {
      boolean anything = false;
      boolean xml = false;
      boolean verbose = false;
      MetadataLevel best = null;
      double bestWeight = 0;
      for (String entry : list.split(",", -1)) {
        String type = typeOf(entry);
        anything |= type.equals("*/*") || type.equals("application/*");
        xml |= isXml(type);
        if (type.equals("application/json")) {
          MetadataLevel level = levelOf(entry);
          verbose |= level == null;
          if (level != null && (best == null || weightOf(entry) > bestWeight)) {
            best = level;
            bestWeight = weightOf(entry);
          }
        }
      }
      return new Accepted(best == null && anything ? MetadataLevel.MINIMAL : best, verbose, xml);
    }
  }

  /** Returns the metadata level that a media type names; null for {@code odata=verbose}. */
  private static @Nullable MetadataLevel levelOf(String entry) {
    String word = parameter(entry, "odata");
    if (word.equals("verbose")) {
      return null;
    }
    for (MetadataLevel level : MetadataLevel.values()) {
      if (word.equals(level.word())) {
        return level;
      }
    }
    return MetadataLevel.MINIMAL;
  }

  private static double weightOf(String entry) {
    String text = parameter(entry, "q");
    return WEIGHT.matcher(text).matches() ? Double.parseDouble(text) : 1;
  }

  /**
   * Returns a parameter of a media type in lower case and without quotes; empty if it is missing.
   */
  private static String parameter(String entry, String name) {
    for (String parameter : entry.split(";", -1)) {
      int equals = parameter.indexOf('=');
      if (equals > 0 && parameter.substring(0, equals).strip().equalsIgnoreCase(name)) {
        String value = parameter.substring(equals + 1).replace('"', ' ').strip();
        return value.toLowerCase(Locale.ROOT);
      }
    }
    return "";
  }

  private static String typeOf(String entry) {
    int end = entry.indexOf(';');
    return (end < 0 ? entry : entry.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private static boolean isXml(String type) {
    return type.equals("application/atom+xml")
        || type.equals("application/xml")
        || type.equals("text/xml");
  }
}
