package io.lazuli.server.table.protocol;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ErrorBody;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.pipeline.ErrorForm;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The errors of the table service (table-rest.md 9.1). */
public final class ODataErrorForm implements ErrorForm {
  private static final Set<String> XML_RESOURCES = Set.of("acl", "properties", "stats");
  private static final List<String> LEVELS =
      List.of("nometadata", "minimalmetadata", "fullmetadata");

  @Override
  public void write(
      Response.Builder out, Request request, ServiceException exception, Instant time) {
    ServiceError error = exception.error();
    String text = exception.text();
    if (!wantsJson(request)) {
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
        .body("application/json;odata=" + level(request) + ";streaming=true;charset=utf-8", body);
  }

  /** The live service answers these before its OData layer, without the parameters of the type. */
  private static boolean isAboutTheCaller(ServiceError error) {
    return error.status() == 401
        || error.status() == 403
        || error.equals(CommonErrors.INVALID_AUTHENTICATION_INFO);
  }

  private static boolean wantsJson(Request request) {
    String comp = request.query().first("comp");
    if (comp != null && XML_RESOURCES.contains(comp)) {
      return false;
    }
    String format = request.query().first("$format");
    String wanted = format == null || format.isBlank() ? request.header("Accept") : format;
    return wanted == null || wanted.isBlank() || allowsJson(wanted.toLowerCase(Locale.ROOT));
  }

  private static boolean allowsJson(String wanted) {
    return wanted.contains("json") || wanted.contains("*/*") || wanted.contains("application/*");
  }

  private static String level(Request request) {
    String level = level(request.query().first("$format"));
    if (level == null) {
      level = level(request.header("Accept"));
    }
    return level == null ? "minimalmetadata" : level;
  }

  private static @Nullable String level(@Nullable String wanted) {
    if (wanted == null) {
      return null;
    }
    String lower = wanted.toLowerCase(Locale.ROOT);
    for (String level : LEVELS) {
      if (lower.contains("odata=" + level)) {
        return level;
      }
    }
    return null;
  }
}
