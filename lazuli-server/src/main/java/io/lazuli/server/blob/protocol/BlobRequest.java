package io.lazuli.server.blob.protocol;

import io.lazuli.server.access.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Request;
import io.lazuli.server.protocol.CutPath;
import io.lazuli.server.protocol.QueryParameters;

/** A request together with the operation that it asks for. */
record BlobRequest(Request request, BlobRoute route, CutPath path, QueryParameters parameters) {
  /** Routes an addressed request; throws if the service has no such operation. */
  static BlobRequest of(Request request) {
    CutPath path = CutPath.of(request.address().path());
    if (path == null) {
      throw CommonErrors.INVALID_URI.exception();
    }
    return of(request, path);
  }

  /**
   * Routes an addressed request; throws if the service has no such operation.
   *
   * @param path the parsed path of the request
   */
  static BlobRequest of(Request request, CutPath path) {
    QueryParameters parameters = new QueryParameters(request.query());
    return new BlobRequest(request, BlobRoute.of(request, path, parameters), path, parameters);
  }

  BlobRequest withCaller(Caller caller) {
    return new BlobRequest(request.withCaller(caller), route, path, parameters);
  }

  Caller caller() {
    return request.caller();
  }

  /** Returns the container or blob that the path names; empty if it names none. */
  String resource() {
    return path.rest() == null ? path.first() : path.first() + "/" + path.rest();
  }
}
