package io.lazuli.server.table.protocol;

import io.lazuli.server.table.model.TableErrors;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Chooses the format of an answer and judges that of a body (table-rest 4.1). */
final class MediaTypes {
  private static final Pattern WEIGHT = Pattern.compile("[01](\\.\\d{0,3})?");

  private MediaTypes() {}

  /** The level to answer with; {@code $format} beats {@code Accept}. */
  static MetadataLevel level(@Nullable String format, @Nullable String accept) {
    if (format != null && !format.isBlank()) {
      return format.strip().equals("json") ? MetadataLevel.MINIMAL : choose(format);
    }
    return accept == null || accept.isBlank() ? MetadataLevel.MINIMAL : choose(accept);
  }

  /** Refuses a body that says it is anything but JSON. */
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

  private static MetadataLevel choose(String list) {
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
    if (best != null) {
      return best;
    }
    if (anything) {
      return MetadataLevel.MINIMAL;
    }
    if (verbose) {
      throw TableErrors.VERBOSE_NOT_SUPPORTED.exception();
    }
    throw (xml ? TableErrors.ATOM_NOT_SUPPORTED : TableErrors.MEDIA_TYPE_NOT_SUPPORTED).exception();
  }

  /** Null stands for {@code odata=verbose}. */
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

  /** The value in lower case, without quotes; empty if the parameter is missing. */
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
