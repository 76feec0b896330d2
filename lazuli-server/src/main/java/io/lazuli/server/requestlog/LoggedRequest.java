package io.lazuli.server.requestlog;

import io.lazuli.server.event.LogSelection;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestSource;
import org.jspecify.annotations.Nullable;

/**
 * What the line of a request is made of. Nothing is put together yet.
 *
 * @param service {@code blob}, {@code queue} or {@code table}
 * @param endTicks when it was over, in 100 ns since 1970
 * @param operation by its documented name
 * @param target path and query as sent, cut if they are long
 * @param lineBytes length of the request line
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

  /** Method, two spaces and {@code HTTP/1.1}, with the end of the line. */
  private static final int AROUND_TARGET_BYTES = 12;

  static LoggedRequest of(
      String service,
      RequestEvent event,
      LogSelection selection,
      long endTicks,
      String operation,
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
        operation,
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

  /** When its head had come. */
  long startTicks() {
    return endTicks - event.transfer().nanos() / 100;
  }

  /**
   * Where its line belongs.
   *
   * @param last where that of another request does: the same one, if it is the same
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
