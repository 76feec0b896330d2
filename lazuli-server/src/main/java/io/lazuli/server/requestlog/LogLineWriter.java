package io.lazuli.server.requestlog;

import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestEvent.Transfer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests as lines of format 1.0, or 2.0 with its eight more fields that stay empty here
 * (logs-and-metrics.md 3). Mutable: remembers how the last second was written, and keeps its buffer;
 * used by one thread.
 */
final class LogLineWriter {
  private static final long TICKS_PER_SECOND = 10_000_000;
  private static final int LINE_END_BYTES = 2;
  private static final int BUFFER_CHARS = 2 << 10;

  /** With the shortest reason, which nobody reads. */
  private static final int STATUS_LINE_BYTES = "HTTP/1.1 200 OK".length() + LINE_END_BYTES;

  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final String EXTENDED = "2.0";
  private static final String EXTENDED_FIELDS = ";;;;;;;;";
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);
  private long knownSecond = Long.MIN_VALUE;
  private String knownText = "";
  private StringBuilder buffer = new StringBuilder(BUFFER_CHARS);

  /** The line of a request; a copy has three. */
  byte[] line(LoggedRequest request) {
    append(buffer, request);
    byte[] line = buffer.toString().getBytes(StandardCharsets.UTF_8);
    boolean usual = line.length == buffer.length() && line.length <= BUFFER_CHARS;
    buffer.setLength(0);
    if (!usual) {
      // A builder keeps its size, and the wide characters that it once had to hold.
      buffer = new StringBuilder(BUFFER_CHARS);
    }
    return line;
  }

  private void append(StringBuilder out, LoggedRequest request) {
    String url = UrlText.masked(request.scheme() + "://" + request.host() + request.target());
    String key =
        ObjectKey.of(
            request.service(), request.event().account(), request.host(), request.target());
    line(out, request, request.operation(), url, key, 0);
    if (request.operation().equals("CopyBlob")) {
      String source = UrlText.masked(request.headers().copySource);
      line(out, request, "CopyBlobSource", url, source, 1);
      line(out, request, "CopyBlobDestination", url, key, 2);
    }
  }

  private void line(
      StringBuilder out,
      LoggedRequest request,
      String operation,
      String url,
      String key,
      int count) {
    RequestEvent event = request.event();
    PickedHeaders headers = request.headers();
    Transfer transfer = event.transfer();
    boolean timed = event.status() == 500 && UrlText.hasParameter(request.target(), "timeout");
    String version = request.selection().version().equals(EXTENDED) ? EXTENDED : "1.0";
    out.append(version).append(';');
    time(out, request.startTicks());
    out.append(';').append(operation);
    out.append(';').append(StatusName.of(event, headers.version, timed)).append(';');
    status(out, event);
    out.append(';').append(transfer.nanos() / NANOS_PER_MILLI);
    out.append(';').append(transfer.serverNanos() / NANOS_PER_MILLI).append(';');
    accounts(out, event);
    out.append(';').append(request.service()).append(';');
    quoted(out, url).append(';');
    quoted(out, key).append(';').append(event.requestId()).append(';').append(count).append(';');
    peer(out, request).append(';');
    plain(out, headers.version).append(';');
    sizes(out, request);
    texts(out, request);
    out.append(version.equals(EXTENDED) ? EXTENDED_FIELDS : "").append('\n');
  }

  private static void status(StringBuilder out, RequestEvent event) {
    if (event.transfer().complete()) {
      out.append(event.status());
    } else {
      out.append("Unknown");
    }
  }

  private static void accounts(StringBuilder out, RequestEvent event) {
    Authentication authentication = event.authentication();
    out.append(
        switch (authentication) {
          case KEY -> "authenticated;";
          case SAS -> "sas;";
          case ANONYMOUS -> "anonymous;";
        });
    // Who was refused has not proved to be the account that it named.
    boolean refused = event.status() == 401 || event.status() == 403;
    out.append(authentication == Authentication.KEY && !refused ? event.account() : "");
    out.append(';').append(event.account());
  }

  private static StringBuilder peer(StringBuilder out, LoggedRequest request) {
    String address = request.peerAddress();
    boolean v6 = address.indexOf(':') >= 0;
    out.append(v6 ? "[" : "").append(address).append(v6 ? "]:" : ":");
    return out.append(request.peerPort());
  }

  private static void sizes(StringBuilder out, LoggedRequest request) {
    Transfer transfer = request.event().transfer();
    out.append(request.lineBytes() + request.headers().bytes + LINE_END_BYTES).append(';');
    out.append(transfer.bytesIn()).append(';');
    out.append(STATUS_LINE_BYTES + request.answer().bytes + LINE_END_BYTES).append(';');
    out.append(transfer.bytesOut()).append(';');
    out.append(Math.max(0, request.contentLength())).append(';');
  }

  /** Checksums, tag, time, conditions and what the client says about itself. */
  private static void texts(StringBuilder out, LoggedRequest request) {
    PickedHeaders headers = request.headers();
    PickedAnswer answer = request.answer();
    quoted(out, headers.contentMd5).append(';');
    quoted(out, request.kind() == OperationKind.READ ? "" : answer.contentMd5).append(';');
    if (!answer.etag.isEmpty()) {
      out.append('"').append(answer.etag).append('"');
    }
    LastModified.append(out.append(';'), answer);
    out.append(';');
    quoted(out, conditions(headers)).append(';');
    quoted(out, headers.userAgent).append(';');
    quoted(out, UrlText.masked(headers.referrer)).append(';');
    quoted(out, headers.clientRequestId);
  }

  private static String conditions(PickedHeaders headers) {
    StringBuilder out = new StringBuilder(0);
    condition(out, "If-Match", headers.ifMatch);
    condition(out, "If-None-Match", headers.ifNoneMatch);
    condition(out, "If-Modified-Since", headers.ifModifiedSince);
    condition(out, "If-Unmodified-Since", headers.ifUnmodifiedSince);
    return out.toString();
  }

  private static void condition(StringBuilder out, String name, String value) {
    if (!value.isEmpty()) {
      out.append(out.isEmpty() ? "" : ";").append(name).append('=').append(value);
    }
  }

  /** With seven decimals. */
  private void time(StringBuilder out, long ticks) {
    long second = Math.floorDiv(ticks, TICKS_PER_SECOND);
    if (second != knownSecond) {
      knownText = SECOND.format(LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC));
      knownSecond = second;
    }
    // The leading one keeps the zeros.
    String fraction = Long.toString(TICKS_PER_SECOND + Math.floorMod(ticks, TICKS_PER_SECOND));
    out.append(knownText).append('.').append(fraction, 1, fraction.length()).append('Z');
  }

  /** A header that was not checked may hold what would end the field. */
  private static StringBuilder plain(StringBuilder out, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == ';' || c == '"') {
        return out;
      }
    }
    return out.append(text);
  }

  /** Nothing at all for an empty text. */
  private static StringBuilder quoted(StringBuilder out, String text) {
    return text.isEmpty() ? out : escaped(out.append('"'), text).append('"');
  }

  private static StringBuilder escaped(StringBuilder out, String text) {
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      String escape = c > '>' ? null : escape(c);
      if (escape != null) {
        out.append(text, from, i).append(escape);
        from = i + 1;
      }
    }
    // Whole texts are copied faster than parts of them.
    return from == 0 ? out.append(text) : out.append(text, from, text.length());
  }

  private static @Nullable String escape(char c) {
    return switch (c) {
      case '&' -> "&amp;";
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      case '"' -> "&quot;";
      case '\n' -> "&#10;";
      case '\r' -> "&#13;";
      default -> null;
    };
  }
}
