package io.lazuli.server.table.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Request;
import io.lazuli.server.table.protocol.ResourcePath.EntityCollection;
import io.lazuli.server.table.protocol.ResourcePath.Service;

/**
 * A request together with the operation that it asks for.
 *
 * @param wire the request in the form that decoders and encoders use
 */
record RoutedRequest(Request request, TableRoute route, TableRequest wire) {
  /**
   * Routes an addressed request; throws if the service has no such operation.
   *
   * @param path the parsed path of the request
   */
  static RoutedRequest of(Request request, ResourcePath path) {
    String component = component(request, path);
    TableRequest wire =
        new TableRequest(
            TableRequest.effectiveMethod(request.method(), request.headers().all("X-HTTP-Method")),
            path,
            request.query(),
            request.address().account(),
            request.address().base(),
            request.headers()::all,
            request.body());
    return new RoutedRequest(request, TableRoute.of(wire, component), wire);
  }

  /**
   * Returns the parameter {@code comp}, or an empty text if there is none. Only some paths accept
   * it, and the path of the service requires it.
   */
  private static String component(Request request, ResourcePath path) {
    String component = request.query().first("comp");
    boolean fits =
        path instanceof Service
            ? "service".equals(request.query().first("restype"))
                && ("properties".equals(component) || "stats".equals(component))
            : component == null || (path instanceof EntityCollection && component.equals("acl"));
    if (!fits) {
      throw CommonErrors.INVALID_QUERY_PARAMETER_VALUE.exception();
    }
    return component == null ? "" : component;
  }
}
