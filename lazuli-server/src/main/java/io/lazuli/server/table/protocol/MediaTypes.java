package io.lazuli.server.table.protocol;

import io.lazuli.server.table.model.TableErrors;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Chooses the format of an answer and judges that of a body (table-rest 4.1). */
final class MediaTypes {
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
    for (String entry : list.split(",", -1)) {
      String type = typeOf(entry);
      anything |= type.equals("*/*") || type.equals("application/*");
      xml |= isXml(type);
      if (type.equals("application/json")) {
        MetadataLevel level = levelOf(entry);
        if (level != null) {
          return level;
        }
        verbose = true;
      }
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
    for (String parameter : entry.split(";", -1)) {
      String text = parameter.strip().toLowerCase(Locale.ROOT);
      if (text.equals("odata=verbose")) {
        return null;
      }
      for (MetadataLevel level : MetadataLevel.values()) {
        if (text.equals("odata=" + level.word())) {
          return level;
        }
      }
    }
    return MetadataLevel.MINIMAL;
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
