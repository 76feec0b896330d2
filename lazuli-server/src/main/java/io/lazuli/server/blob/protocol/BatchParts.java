package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.pipeline.ErrorForm;
import io.lazuli.server.wire.Multipart;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests in a batch and writes their answers, as {@code multipart/mixed} (blob-rest
 * 8.5).
 */
final class BatchParts {
  static final int BYTES_MAX = 4 << 20;
  private static final int PARTS_MAX = 256;

  private BatchParts() {}

  /**
   * One part of a batch.
   *
   * @param contentId the part's {@code Content-ID}, which the answer repeats; null if there is none
   */
  record Part(@Nullable String contentId, Request request) {}

  /** Returns the requests in the body of a batch; throws 400 if there are none or too many. */
  static List<Part> parse(Request batch, byte[] body) {
    String boundary = Multipart.boundary(batch.header("Content-Type"));
    List<Multipart.Part> parts =
        boundary == null ? null : Multipart.parse(body, 0, body.length, boundary, PARTS_MAX + 1);
    if (parts == null || parts.isEmpty() || parts.size() > PARTS_MAX) {
      throw BlobErrors.INVALID_INPUT.exception();
    }
    List<Part> requests = new ArrayList<>(parts.size());
    for (Multipart.Part part : parts) {
      requests.add(new Part(part.header("Content-ID"), request(batch, part)));
    }
    return requests;
  }

  private static Request request(Request batch, Multipart.Part part) {
    byte[] bytes = part.trimmed();
    int lineEnd = Multipart.lineEnd(bytes, 0, bytes.length);
    String[] line = Multipart.text(bytes, 0, lineEnd).split(" ", -1);
    if (line.length != 3) {
      throw BlobErrors.INVALID_INPUT.exception();
    }
    Multipart.Part message = Multipart.message(bytes, lineEnd, bytes.length);
    Map<String, String> headers = new LinkedHashMap<>(message.headers());
    // Every part gets the host of the batch. No header that is signed may be added to a part.
    String host = batch.header("Host");
    headers.put("host", host == null ? "" : host);
    return batch.inner(line[0], line[1], new InnerHeaders(headers));
  }

  /** Writes one answer for each part, in the order of the parts. */
  static byte[] write(String boundary, List<Part> parts, List<Response> answers) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < parts.size(); i++) {
      StringBuilder head = new StringBuilder("--").append(boundary).append("\r\n");
      head.append("Content-Type: application/http\r\n");
      String id = parts.get(i).contentId();
      if (id != null) {
        head.append("Content-ID: ").append(id).append("\r\n");
      }
      Response answer = answers.get(i);
      head.append("\r\nHTTP/1.1 ").append(answer.status()).append(' ');
      head.append(phrase(answer));
      for (int h = 0; h < answer.headers().size(); h += 2) {
        head.append("\r\n").append(answer.headers().get(h)).append(": ");
        head.append(answer.headers().get(h + 1));
      }
      if (answer.body().length > 0) {
        head.append("\r\nContent-Length: ").append(answer.body().length);
      }
      out.writeBytes(head.append("\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
      // Without a body, the empty line ends the part: the Java SDK mistakes another line for a
      // failure.
      if (answer.body().length > 0) {
        out.writeBytes(answer.body());
        out.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    out.writeBytes(("--" + boundary + "--").getBytes(StandardCharsets.ISO_8859_1));
    return out.toByteArray();
  }

  /** Returns the reason phrase. The status of a part that succeeds is 200 or 202. */
  private static String phrase(Response answer) {
    String reason = answer.reason();
    return reason != null ? reason : answer.status() == 202 ? "Accepted" : "OK";
  }

  /** Returns the answer to a part that failed. */
  static Response refusal(Request part, ServiceException failure, Instant now) {
    Response.Builder out =
        Response.of(failure.error().status()).header("x-ms-error-code", failure.error().code());
    ErrorForm.XML.writeReason(out, failure);
    ErrorForm.XML.writeBody(out, part, failure, now);
    return out.build();
  }
}
