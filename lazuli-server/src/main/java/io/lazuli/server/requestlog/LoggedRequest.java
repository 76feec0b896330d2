package io.lazuli.server.requestlog;

import io.lazuli.server.event.LogSelection;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestSource;
import org.jspecify.annotations.Nullable;

/**
 * The data for the line of a request. The line itself is written later.
 *
 * @param service {@code blob}, {@code queue} or {@code table}
 * @param endTicks the time when the request ended, in units of 100 ns since 1970
 * @param operation the documented name of the operation
 * @param target the path and query as the client sent them, truncated if they are long
 * @param lineBytes the length of the request line
 */
record LoggedRequest(
    String service,
    RequestEvent event,
    LogSelection selection,
    long endTicks,
    String operation,
    OperationKind kind,
    String scheme,
    String host,
    String target,
    int lineBytes,
    String peerAddress,
    int peerPort,
    long contentLength,
    PickedHeaders headers,
    PickedAnswer answer) {

  /** The length of the two spaces, {@code HTTP/1.1} and the line end. */
  private static final int AROUND_TARGET_BYTES = 12;

  static LoggedRequest of(
      String service,
      RequestEvent event,
      LogSelection selection,
      long endTicks,
      OperationType operation,
      OperationKind kind,
      RequestSource source) {
    PickedHeaders headers = new PickedHeaders();
    source.visitHeaders(headers);
    PickedAnswer answer = new PickedAnswer();
    source.visitAnswerHeaders(answer);
    String target = source.target();
    return new LoggedRequest(
        service,
        event,
        selection,
        endTicks,
        operation.documentedName(),
        kind,
        source.scheme(),
        PickedHeaders.cut(source.host()),
        PickedHeaders.cut(target),
        source.method().length() + target.length() + AROUND_TARGET_BYTES,
        source.peerAddress(),
        source.peerPort(),
        source.contentLength(),
        headers,
        answer);
  }

  /** Returns the time when the head of the request had arrived. */
  long startTicks() {
    return endTicks - event.transfer().nanos() / 100;
  }

  /**
   * Returns the log to which the line belongs.
   *
   * @param last the log of another line; the same object is returned if the logs are equal
   */
  LogFile.Key log(LogFile.@Nullable Key last) {
    long hour = LogName.epochHour(endTicks);
    return last != null
            && last.epochHour() == hour
            && last.service().equals(service)
            && last.account().equals(event.account())
            && last.version().equals(selection.version())
        ? last
        : new LogFile.Key(event.account(), service, selection.version(), hour);
  }
}
