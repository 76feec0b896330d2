package io.lazuli.server.pipeline;

import io.lazuli.server.error.ErrorBody;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import java.time.Instant;

/** The way a service writes its errors. */
public interface ErrorForm {
  /**
   * The form of the queue and blob services: the text of the error as the reason phrase, and XML
   * with the details as elements (queue-rest 2.7).
   */
  ErrorForm XML =
      new ErrorForm() {
        @Override
        public void writeReason(Response.Builder out, ServiceException error) {
          out.reason(error.text());
        }

        @Override
        public void writeBody(
            Response.Builder out, Request request, ServiceException error, Instant time) {
          out.body("application/xml", ErrorBody.detailedXml(error, request.id(), time));
        }
      };

  /**
   * Writes the reason phrase of an error. Writes nothing if the service uses the standard phrase of
   * HTTP.
   */
  void writeReason(Response.Builder out, ServiceException error);

  /** Writes the body of an error and its headers. */
  void writeBody(Response.Builder out, Request request, ServiceException error, Instant time);
}
