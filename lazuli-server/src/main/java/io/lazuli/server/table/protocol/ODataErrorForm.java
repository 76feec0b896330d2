package io.lazuli.server.table.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ErrorBody;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.pipeline.ErrorForm;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Renders the errors of the table service (table-rest 9.1). */
public final class ODataErrorForm implements ErrorForm {
  private static final Set<String> XML_RESOURCES = Set.of("acl", "properties", "stats");

  /**
   * Writes nothing: errors of the table service have the standard phrase. Only queues and blobs
   * have other phrases.
   */
  @Override
  public void writeReason(Response.Builder out, ServiceException error) {}

  @Override
  public void writeBody(
      Response.Builder out, Request request, ServiceException exception, Instant time) {
    ServiceError error = exception.error();
    String text = exception.text();
    MetadataLevel level = level(request);
    if (level == null) {
      out.body("application/xml", ErrorBody.xml(error.code(), text, request.id(), time));
      return;
    }
    byte[] body = ErrorBody.json(error.code(), text, request.id(), time);
    if (isAboutTheCaller(error)) {
      out.body("application/json", body);
      return;
    }
    out.header("Cache-Control", "no-cache")
        .header("X-Content-Type-Options", "nosniff")
        .body(level.contentType(), body);
  }

  /**
   * Returns true for errors that the live service answers before its OData layer, without the
   * parameters of the media type.
   */
  private static boolean isAboutTheCaller(ServiceError error) {
    return error.status() == 401
        || error.status() == 403
        || error.equals(CommonErrors.INVALID_AUTHENTICATION_INFO);
  }

  /** Returns the metadata level of the error; null if the error is written as XML. */
  private static @Nullable MetadataLevel level(Request request) {
    String component = request.query().first("comp");
    return component != null && XML_RESOURCES.contains(component)
        ? null
        : MediaTypes.errorLevel(request.query().first("$format"), request.header("Accept"));
  }
}
