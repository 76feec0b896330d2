package io.lazuli.server.error;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The text of an error: the two forms of the table service, and that of the queue and blob
 * services. A batch uses the JSON form for its inner answers too, with the index of the operation
 * in front of the text.
 */
public final class ErrorBody {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final String HEX = "0123456789abcdef";

  private ErrorBody() {}

  /** The {@code odata.error} object. */
  public static byte[] json(String code, String text, String requestId, Instant time) {
    StringBuilder out = new StringBuilder(320);
    out.append("{\"odata.error\":{\"code\":\"");
    appendJson(out, code);
    out.append("\",\"message\":{\"lang\":\"en-US\",\"value\":\"");
    appendJson(out, message(text, requestId, time));
    return out.append("\"}}}").toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The {@code m:error} document. */
  public static byte[] xml(String code, String text, String requestId, Instant time) {
    StringBuilder out = new StringBuilder(420);
    out.append("<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error xmlns:m=\"")
        .append("http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"><m:code>");
    appendXml(out, code);
    out.append("</m:code><m:message xml:lang=\"en-US\">");
    appendXml(out, message(text, requestId, time));
    return out.append("</m:message></m:error>").toString().getBytes(StandardCharsets.UTF_8);
  }

  /** The {@code Error} document of the queue and blob services: every detail is an element. */
  public static byte[] detailedXml(ServiceException error, String requestId, Instant time) {
    StringBuilder out = new StringBuilder(420);
    out.append("<?xml version=\"1.0\" encoding=\"utf-8\"?><Error>");
    appendElement(out, "Code", error.error().code());
    appendElement(out, "Message", message(error.text(), requestId, time));
    error.details().forEach((name, value) -> appendElement(out, name, value));
    return out.append("</Error>").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void appendElement(StringBuilder out, String name, String text) {
    out.append('<').append(name).append('>');
    appendXml(out, text);
    out.append("</").append(name).append('>');
  }

  /** A time as it stands in error texts: always seven digits. */
  public static String time(Instant time) {
    return TIME.format(time);
  }

  private static String message(String text, String requestId, Instant time) {
    return text + "\nRequestId:" + requestId + "\nTime:" + time(time);
  }

  private static void appendJson(StringBuilder out, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c == '\n') {
        out.append("\\n");
      } else if (c < 0x20 || Character.isSurrogate(c)) {
        out.append("\\u")
            .append(HEX.charAt(c >> 12))
            .append(HEX.charAt(c >> 8 & 15))
            .append(HEX.charAt(c >> 4 & 15))
            .append(HEX.charAt(c & 15));
      } else {
        out.append(c);
      }
    }
  }

  /** What XML 1.0 cannot say at all becomes a question mark. */
  private static void appendXml(StringBuilder out, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        default -> out.append(isXmlCharacter(text, i) ? c : '?');
      }
    }
  }

  private static boolean isXmlCharacter(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
    return c >= 0x20 ? c < 0xfffe : c == '\n' || c == '\t' || c == '\r';
  }
}
