package io.lazuli.server.pipeline;

import io.lazuli.server.error.ErrorBody;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.time.Instant;

/** The way a service writes its errors. */
@FunctionalInterface
public interface ErrorForm {
  /** XML with the details as elements, for the queue and blob services (queue-rest 2.7). */
  ErrorForm XML =
      (out, request, error, time) ->
          out.body("application/xml", ErrorBody.detailedXml(error, request.id(), time));

  /** Writes the body of an error and its headers. */
  void write(Response.Builder out, Request request, ServiceException error, Instant time);
}
