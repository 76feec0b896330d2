package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@code If-Match} or {@code If-None-Match}: any resource, or a list of tags. Tags may
 * come without quotes, because the Java SDK strips them (blob-rest 2.1).
 *
 * @param any true for {@code *}
 * @param tags the tags without quotes; at least one unless {@code any} is true
 */
public record ETagCondition(boolean any, List<String> tags) {
  public ETagCondition {
    tags = List.copyOf(tags);
  }

  /** Parses the header; null means that there is none. Throws if a tag is empty. */
  public static @Nullable ETagCondition parse(String header, @Nullable String value) {
    if (value == null) {
      return null;
    }
    List<String> tags = new ArrayList<>();
    int at = 0;
    while (at <= value.length()) {
      int end = itemEnd(value, at);
      String tag = unquoted(value.substring(at, end).strip());
      if (tag.isEmpty()) {
        throw invalid(header, value);
      }
      tags.add(tag);
      at = end + 1;
    }
    return tags.contains("*") ? new ETagCondition(true, List.of()) : new ETagCondition(false, tags);
  }

  /** Returns true if the condition names the resource with this tag, or any resource. */
  public boolean names(long etagTicks) {
    return any || tags.contains(BlobETag.text(etagTicks));
  }

  boolean isList() {
    return tags.size() > 1;
  }

  private static int itemEnd(String value, int from) {
    boolean quoted = false;
    for (int i = from; i < value.length(); i++) {
      if (value.charAt(i) == '"') {
        quoted = !quoted;
      } else if (value.charAt(i) == ',' && !quoted) {
        return i;
      }
    }
    return value.length();
  }

  /**
   * Removes the quotes of a tag and the prefix {@code W/} of a weak tag. All tags of this service
   * are strong. A cache may have weakened a tag, so the prefix has no meaning.
   */
  private static String unquoted(String item) {
    String tag = item.startsWith("W/") ? item.substring(2) : item;
    boolean quoted = tag.length() >= 2 && tag.startsWith("\"") && tag.endsWith("\"");
    return quoted ? tag.substring(1, tag.length() - 1) : tag;
  }

  private static ServiceException invalid(String header, String value) {
    return CommonErrors.INVALID_HEADER_VALUE
        .exception()
        .with("HeaderName", header)
        .with("HeaderValue", value);
  }
}
