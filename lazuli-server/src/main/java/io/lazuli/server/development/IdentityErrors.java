package io.lazuli.server.development;

import com.nimbusds.jose.util.JSONObjectUtils;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.pipeline.ErrorForm;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The errors of the development identity, with the codes of OAuth and the numbers of Entra. Their
 * body has both forms that clients read: OAuth's, and that of managed identities.
 */
final class IdentityErrors implements ErrorForm {
  static final ServiceError WRONG_SECRET =
      new ServiceError(
          "invalid_client",
          401,
          "AADSTS7000215: The client secret, the federated token or the identity header is not the"
              + " one of this server.");
  static final ServiceError UNKNOWN_CLIENT =
      new ServiceError(
          "unauthorized_client",
          400,
          "AADSTS700016: There is no development identity of this name. The setting dev-identities"
              + " adds identities.");
  static final ServiceError WRONG_GRANT =
      new ServiceError(
          "unsupported_grant_type",
          400,
          "AADSTS70003: The development identity supports only client_credentials.");
  static final ServiceError NO_RESOURCE =
      new ServiceError(
          "invalid_scope",
          400,
          "AADSTS1002012: The request must name one resource: a scope that ends with /.default, or"
              + " the parameter resource.");
  static final ServiceError INVALID_REQUEST =
      new ServiceError("invalid_request", 400, "AADSTS900144: The body is not a form.");
  static final ServiceError FOREIGN =
      new ServiceError(
          "access_denied", 403, "The development identity answers programs of this machine only.");
  static final ServiceError NOTHING_HERE =
      new ServiceError(
          "invalid_request",
          404,
          "AADSTS90002: There is nothing at this address. The tenant is adfs or "
              + DevelopmentIdentity.TENANT
              + ".");
  static final ServiceError WRONG_METHOD =
      new ServiceError("invalid_request", 405, "This address does not have this method.");
  static final ServiceError TOO_MANY =
      new ServiceError("temporarily_unavailable", 429, "There are too many requests for tokens.");

  @Override
  public void writeReason(Response.Builder out, ServiceException error) {}

  @Override
  public void writeBody(
      Response.Builder out, Request request, ServiceException error, Instant time) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("error", error.error().code());
    body.put("error_description", error.text());
    body.put("statusCode", error.error().status());
    body.put("message", error.text());
    body.put("correlation_id", request.id());
    body.put("timestamp", time.toString());
    out.body("application/json; charset=utf-8", json(body));
  }

  static byte[] json(Map<String, Object> members) {
    return JSONObjectUtils.toJSONString(members).getBytes(StandardCharsets.UTF_8);
  }
}
