package io.lazuli.server.requestlog;

import io.lazuli.server.event.Authentication;
import io.lazuli.server.event.MaskedText;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestEvent.Transfer;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Writes requests as lines of format 1.0, or of format 2.0, whose eight additional fields stay
 * empty (logs-and-metrics 3). Mutable: remembers the text of the last second and day, and keeps its
 * buffer; used by one thread.
 */
final class LogLineWriter {
  private static final long TICKS_PER_SECOND = 10_000_000;
  private static final int FRACTION_DIGITS = 7;
  private static final int LINE_END_BYTES = 2;

  /** The assumed length of the status line: with the shortest reason phrase. */
  private static final int STATUS_LINE_BYTES = "HTTP/1.1 200 OK".length() + LINE_END_BYTES;

  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final String COPY_SOURCE = "CopyBlobSource";
  private static final String EXTENDED = "2.0";
  private static final String EXTENDED_FIELDS = ";;;;;;;;";
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);
  private long knownSecond = Long.MIN_VALUE;
  private String knownText = "";
  private final LineBytes buffer = new LineBytes();
  private final LastModified lastModified = new LastModified();

  /** Returns the line of a request, valid until the next call. A copy has three lines. */
  LineBytes line(LoggedRequest request) {
    buffer.clear();
    append(buffer, request);
    return buffer;
  }

  private void append(LineBytes out, LoggedRequest request) {
    line(out, request, request.operation(), 0);
    if (request.operation().equals("CopyBlob")) {
      line(out, request, COPY_SOURCE, 1);
      line(out, request, "CopyBlobDestination", 2);
    }
  }

  private void line(LineBytes out, LoggedRequest request, String operation, int count) {
    RequestEvent event = request.event();
    PickedHeaders headers = request.headers();
    Transfer transfer = event.transfer();
    String version = request.selection().version().equals(EXTENDED) ? EXTENDED : "1.0";
    out.add(version).add(';');
    time(out, request.startTicks());
    out.add(';').add(operation);
    out.add(';').add(StatusName.of(event, headers.version, request.target())).add(';');
    status(out, event);
    out.add(';').add(transfer.nanos() / NANOS_PER_MILLI);
    out.add(';').add(transfer.serverNanos() / NANOS_PER_MILLI).add(';');
    accounts(out, event);
    out.add(';').add(request.service()).add(';');
    url(out, request);
    out.add(';');
    key(out, request, operation);
    out.add(';').add(event.requestId()).add(';').add(count).add(';');
    peer(out, request).add(';');
    plain(out, headers.version).add(';');
    sizes(out, request);
    texts(out, request);
    out.add(version.equals(EXTENDED) ? EXTENDED_FIELDS : "").add('\n');
  }

  private static void key(LineBytes out, LoggedRequest request, String operation) {
    if (operation.equals(COPY_SOURCE)) {
      out.addQuotedWire(MaskedText.of(request.headers().copySource));
      return;
    }
    out.add('"');
    ObjectKey.append(
        out,
        request.service(),
        request.event().account(),
        request.host(),
        MaskedText.of(request.target()));
    out.add('"');
  }

  private static void url(LineBytes out, LoggedRequest request) {
    out.add('"').add(request.scheme()).add("://").addWire(request.host());
    out.addWire(MaskedText.of(request.target())).add('"');
  }

  private static void status(LineBytes out, RequestEvent event) {
    if (event.transfer().complete()) {
      out.add(event.status());
    } else {
      out.add("Unknown");
    }
  }

  private static void accounts(LineBytes out, RequestEvent event) {
    Authentication authentication = event.authentication();
    out.add(
        switch (authentication) {
          case KEY -> "authenticated;";
          case SAS -> "sas;";
          case ANONYMOUS -> "anonymous;";
        });
    // A caller that was refused has not proved that it is the account that it named.
    boolean refused = event.status() == 401 || event.status() == 403;
    out.add(authentication == Authentication.KEY && !refused ? event.account() : "");
    out.add(';').add(event.account());
  }

  private static LineBytes peer(LineBytes out, LoggedRequest request) {
    String address = request.peerAddress();
    boolean v6 = address.indexOf(':') >= 0;
    out.add(v6 ? "[" : "").add(address).add(v6 ? "]:" : ":");
    return out.add(request.peerPort());
  }

  private static void sizes(LineBytes out, LoggedRequest request) {
    Transfer transfer = request.event().transfer();
    out.add(request.lineBytes() + request.headers().bytes + LINE_END_BYTES).add(';');
    out.add(transfer.bytesIn()).add(';');
    out.add(STATUS_LINE_BYTES + request.answer().bytes + LINE_END_BYTES).add(';');
    out.add(transfer.bytesOut()).add(';');
    out.add(Math.max(0, request.contentLength())).add(';');
  }

  /** Writes checksums, tag, time, conditions and the headers that describe the client. */
  private void texts(LineBytes out, LoggedRequest request) {
    PickedHeaders headers = request.headers();
    PickedAnswer answer = request.answer();
    out.addQuotedWire(headers.contentMd5).add(';');
    out.addQuoted(request.kind() == OperationKind.READ ? "" : answer.contentMd5).add(';');
    if (!answer.etag.isEmpty()) {
      out.add('"').add(answer.etag).add('"');
    }
    lastModified.append(out.add(';'), answer);
    out.add(';');
    out.addQuoted(conditions(headers)).add(';');
    out.addQuotedWire(MaskedText.of(headers.userAgent)).add(';');
    out.addQuotedWire(MaskedText.of(headers.referrer)).add(';');
    out.addQuotedWire(MaskedText.of(headers.clientRequestId));
  }

  private static String conditions(PickedHeaders headers) {
    if (!headers.isConditional()) {
      return "";
    }
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

  /** Writes a time with seven decimals. */
  private void time(LineBytes out, long ticks) {
    long second = Math.floorDiv(ticks, TICKS_PER_SECOND);
    if (second != knownSecond) {
      knownText = SECOND.format(LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC));
      knownSecond = second;
    }
    int fraction = (int) (ticks - second * TICKS_PER_SECOND);
    out.add(knownText).add('.').addDigits(fraction, FRACTION_DIGITS).add('Z');
  }

  /**
   * Writes a header that was not validated; nothing if it contains characters that would end the
   * field.
   */
  private static LineBytes plain(LineBytes out, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == ';' || c == '"') {
        return out;
      }
    }
    return out.add(text);
  }
}
