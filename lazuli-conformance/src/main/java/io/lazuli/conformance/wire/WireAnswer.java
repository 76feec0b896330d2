package io.lazuli.conformance.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * An answer as it was received: the status line, the headers in their order, and the bytes of the
 * body.
 */
public record WireAnswer(String statusLine, List<Header> headers, byte[] body) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static WireAnswer of(String statusLine, List<Header> headers, byte[] body) {
    return new WireAnswer(statusLine, List.copyOf(headers), body);
  }

  static Header parseHeader(String line) {
    int colon = line.indexOf(':');
    if (colon < 0) {
      throw new IllegalStateException("not a header line: " + line);
    }
    return new Header(line.substring(0, colon), line.substring(colon + 1).strip());
  }

  public int status() {
    return Integer.parseInt(statusLine.split(" ", -1)[1]);
  }

  /** Returns the reason phrase of the status line, or an empty string if it has none. */
  public String reason() {
    String[] parts = statusLine.split(" ", 3);
    return parts.length < 3 ? "" : parts[2];
  }

  public Optional<String> header(String name) {
    return headers.stream().filter(header -> header.isNamed(name)).map(Header::value).findFirst();
  }

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  public JsonNode json() {
    try {
      return JSON.readTree(body);
    } catch (java.io.IOException e) {
      throw new AssertionError("not JSON: " + this, e);
    }
  }

  /**
   * Returns the root element of an XML answer, without white space between elements and with empty
   * elements as {@code <Name />}. Azure sends a byte order mark before the document.
   */
  public String xml() {
    String content = text();
    int root = content.indexOf("?>") + 2;
    if (root < 2) {
      throw new AssertionError("not XML: " + this);
    }
    return content
        .substring(root)
        .strip()
        .replaceAll(">\\s+<", "><")
        .replaceAll("<(\\w+)/>|<(\\w+)></\\2>", "<$1$2 />");
  }

  /** Returns the entities or tables of a listing. */
  public JsonNode values() {
    JsonNode values = json().get("value");
    if (values == null) {
      throw new AssertionError("not a listing: " + this);
    }
    return values;
  }

  public String etag() {
    return header("ETag").orElseThrow(() -> new AssertionError("there is no ETag: " + this));
  }

  /**
   * Returns the code of an error answer of any service, or an empty string if the answer is not an
   * error.
   */
  public String errorCode() {
    return errorField("code");
  }

  /**
   * Returns the message of an error answer without the lines that name the request and the time.
   */
  public String errorMessage() {
    return errorField("message").split("\nRequestId:", -1)[0];
  }

  public String errorText() {
    return errorField("message");
  }

  /** Returns the inner answers of a batch, in order. */
  public List<WireAnswer> parts() {
    return Multipart.answers(this);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(statusLine).append('\n');
    headers.forEach(h -> text.append(h.name()).append(": ").append(h.value()).append('\n'));
    String content = text();
    return text.append('\n').append(content, 0, Math.min(content.length(), 2_000)).toString();
  }

  private String errorField(String field) {
    if (text().stripLeading().startsWith("<")) {
      String table = xmlField("m:" + field);
      return table.isEmpty() ? xmlField(field.equals("code") ? "Code" : "Message") : table;
    }
    if (body.length == 0) {
      return "";
    }
    try {
      JsonNode error = JSON.readTree(text()).path("odata.error").path(field);
      return error.isObject() ? error.path("value").asText() : error.asText();
    } catch (JsonProcessingException e) {
      return "";
    }
  }

  private String xmlField(String element) {
    String content = text();
    int start = content.indexOf("<" + element);
    int open = content.indexOf('>', start);
    int end = content.indexOf("</" + element + ">");
    return start < 0 || end < 0 ? "" : content.substring(open + 1, end);
  }
}
