package io.lazuli.server.table.protocol;

import io.lazuli.server.error.ErrorBody;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Response;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes the answer to a {@code $batch}: one part for each operation, or a single part for the
 * operation that failed. The headers are in the order of the live service (table-rest 8.4, 8.5).
 */
final class BatchResponse {
  private static final String VERSION = "DataServiceVersion";
  private static final List<String> WRITE_HEADERS =
      List.of(
          "X-Content-Type-Options",
          "Cache-Control",
          "Preference-Applied",
          VERSION,
          "Content-Type",
          "Location",
          "DataServiceId",
          "ETag");
  private static final List<String> READ_HEADERS =
      List.of(VERSION, "Content-Type", "X-Content-Type-Options", "Cache-Control", "ETag");

  private final String batch = "batchresponse_" + UUID.randomUUID();
  private final String changeSet = "changesetresponse_" + UUID.randomUUID();
  private final boolean reading;
  private final JsonBuffer out = new JsonBuffer(4096);

  BatchResponse(boolean reading) {
    this.reading = reading;
    line("--" + batch);
    if (!reading) {
      line("Content-Type: multipart/mixed; boundary=" + changeSet);
      line("");
    }
  }

  /**
   * Adds the answer to one operation.
   *
   * @param version the data service version, which depends on the operation
   * @param contentId the operation's {@code Content-ID}, which the answer repeats; null if it had
   *     none
   */
  void add(Response answer, String version, @Nullable String contentId) {
    if (!reading) {
      line("--" + changeSet);
    }
    line("Content-Type: application/http");
    line("Content-Transfer-Encoding: binary");
    line("");
    line("HTTP/1.1 " + answer.status() + " " + reason(answer.status()));
    for (String name : reading ? READ_HEADERS : WRITE_HEADERS) {
      header(name, name.equals(VERSION) ? version : value(name, answer));
    }
    header("Content-ID", contentId);
    line("");
    out.raw(answer.body());
    line("");
  }

  Response build() {
    if (!reading) {
      line("--" + changeSet + "--");
    }
    line("--" + batch + "--");
    return Response.of(202)
        .header("Cache-Control", "no-cache")
        .header("X-Content-Type-Options", "nosniff")
        .body("multipart/mixed; boundary=" + batch, out.toByteArray())
        .build();
  }

  /** Returns the answer to the operation that made a batch fail. */
  static Response failure(
      ServiceException reason, String text, @Nullable String applied, String requestId) {
    byte[] body = ErrorBody.json(reason.error().code(), text, requestId, Instant.now());
    Response.Builder response =
        Response.of(reason.error().status())
            .header("X-Content-Type-Options", "nosniff")
            .header("Cache-Control", "no-cache");
    if (applied != null) {
      response.header("Preference-Applied", applied);
    }
    return response.body(MetadataLevel.MINIMAL.contentType(), body).build();
  }

  private void header(String name, @Nullable String value) {
    if (value != null) {
      line(name + ": " + value);
    }
  }

  private static @Nullable String value(String name, Response answer) {
    List<String> headers = answer.headers();
    int at = headers.indexOf(name);
    return at < 0 ? null : headers.get(at + 1);
  }

  private void line(String text) {
    out.raw(text.getBytes(StandardCharsets.UTF_8)).raw("\r\n");
  }

  private static String reason(int status) {
    return switch (status) {
      case 200 -> "OK";
      case 201 -> "Created";
      case 204 -> "No Content";
      case 400 -> "Bad Request";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 409 -> "Conflict";
      case 412 -> "Precondition Failed";
      case 415 -> "Unsupported Media Type";
      case 501 -> "Not Implemented";
      default -> "Error";
    };
  }
}
