package io.lazuli.server.queue.protocol;

import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.QueryParameters;

/** A request together with the operation that it asks for. */
record QueueRequest(Request request, QueueRoute route, QueuePath path, QueryParameters parameters) {
  /** Routes an addressed request; throws if the service has no such operation. */
  static QueueRequest of(Request request) {
    QueuePath path = QueuePath.parse(request.address().path());
    QueryParameters parameters = new QueryParameters(request.query());
    return new QueueRequest(request, QueueRoute.of(request, path, parameters), path, parameters);
  }
}
