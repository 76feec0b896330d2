package io.lazuli.server.error;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes the body of an error answer: the two forms of the table service, and the form of the queue
 * and blob services. The answers inside a batch have the JSON form too, with the index of the
 * operation before the text.
 */
public final class ErrorBody {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final String HEX = "0123456789abcdef";

  private ErrorBody() {}

  /** Returns the {@code odata.error} object. */
  public static byte[] json(String code, String text, String requestId, Instant time) {
    StringBuilder out = new StringBuilder(320);
    out.append("{\"odata.error\":{\"code\":\"");
    appendJson(out, code);
    out.append("\",\"message\":{\"lang\":\"en-US\",\"value\":\"");
    appendJson(out, message(text, requestId, time));
    return out.append("\"}}}").toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the {@code m:error} document. */
  public static byte[] xml(String code, String text, String requestId, Instant time) {
    StringBuilder out = new StringBuilder(420);
    out.append("<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error xmlns:m=\"")
        .append("http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"><m:code>");
    XmlText.append(out, code);
    out.append("</m:code><m:message xml:lang=\"en-US\">");
    XmlText.append(out, message(text, requestId, time));
    return out.append("</m:message></m:error>").toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the {@code Error} document of the queue and blob services, in which every detail is an
   * element.
   */
  public static byte[] detailedXml(ServiceException error, String requestId, Instant time) {
    StringBuilder out = new StringBuilder(420);
    out.append("<?xml version=\"1.0\" encoding=\"utf-8\"?><Error>");
    appendElement(out, "Code", error.error().code());
    appendElement(out, "Message", message(error.text(), requestId, time));
    error.details().forEach((name, value) -> appendDetail(out, name, value));
    return out.append("</Error>").toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Appends a detail of the protocol, whose name begins with a capital letter. Other details are
   * for headers or for the text.
   */
  private static void appendDetail(StringBuilder out, String name, String text) {
    if (Character.isUpperCase(name.charAt(0))) {
      appendElement(out, name, text);
    }
  }

  private static void appendElement(StringBuilder out, String name, String text) {
    out.append('<').append(name).append('>');
    XmlText.append(out, text);
    out.append("</").append(name).append('>');
  }

  /** Returns a time as error texts contain it, always with seven fractional digits. */
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
}
