package io.lazuli.server.error;

/** Errors that every service returns. */
public final class CommonErrors {
  public static final ServiceError AUTHENTICATION_FAILED =
      new ServiceError(
          "AuthenticationFailed",
          403,
          "Server failed to authenticate the request. Make sure the value of Authorization header"
              + " is formed correctly including the signature.");
  public static final ServiceError INVALID_AUTHENTICATION_INFO =
      new ServiceError(
          "InvalidAuthenticationInfo",
          400,
          "Authentication information is not given in the correct format. Check the value of"
              + " Authorization header.");
  public static final ServiceError NO_AUTHENTICATION_INFORMATION =
      new ServiceError(
          "NoAuthenticationInformation",
          401,
          "Server failed to authenticate the request. Please refer to the information in the"
              + " www-authenticate header.");

  /** A bearer token that is not valid. Where no tokens are accepted, authentication fails. */
  public static final ServiceError INVALID_TOKEN =
      new ServiceError(
          "InvalidAuthenticationInfo",
          401,
          "Server failed to authenticate the request. Please refer to the information in the"
              + " www-authenticate header.");

  public static final ServiceError AUTHORIZATION_FAILURE =
      new ServiceError(
          "AuthorizationFailure", 403, "This request is not authorized to perform this operation.");
  public static final ServiceError AUTHORIZATION_SERVICE_MISMATCH =
      new ServiceError(
          "AuthorizationServiceMismatch",
          403,
          "This request is not authorized to perform this operation using this service.");
  public static final ServiceError AUTHORIZATION_RESOURCE_TYPE_MISMATCH =
      new ServiceError(
          "AuthorizationResourceTypeMismatch",
          403,
          "This request is not authorized to perform this operation using this resource type.");
  public static final ServiceError AUTHORIZATION_PERMISSION_MISMATCH =
      new ServiceError(
          "AuthorizationPermissionMismatch",
          403,
          "This request is not authorized to perform this operation using this permission.");
  public static final ServiceError AUTHORIZATION_PROTOCOL_MISMATCH =
      new ServiceError(
          "AuthorizationProtocolMismatch",
          403,
          "This request is not authorized to perform this operation using this protocol.");
  public static final ServiceError AUTHORIZATION_SOURCE_IP_MISMATCH =
      new ServiceError(
          "AuthorizationSourceIPMismatch",
          403,
          "This request is not authorized to perform this operation using this source IP {ip}.");
  public static final ServiceError INVALID_HEADER_VALUE =
      new ServiceError(
          "InvalidHeaderValue",
          400,
          "The value for one of the HTTP headers is not in the correct format.");
  public static final ServiceError INVALID_URI =
      new ServiceError(
          "InvalidUri", 400, "The requested URI does not represent any resource on the server.");
  public static final ServiceError INVALID_QUERY_PARAMETER_VALUE =
      new ServiceError(
          "InvalidQueryParameterValue",
          400,
          "Value for one of the query parameters specified in the request URI is invalid.");
  public static final ServiceError OUT_OF_RANGE_QUERY_PARAMETER_VALUE =
      new ServiceError(
          "OutOfRangeQueryParameterValue",
          400,
          "One of the query parameters specified in the request URI is outside the permissible"
              + " range.");
  public static final ServiceError MISSING_REQUIRED_QUERY_PARAMETER =
      new ServiceError(
          "MissingRequiredQueryParameter",
          400,
          "A query parameter that's mandatory for this request is not specified.");
  public static final ServiceError MISSING_REQUIRED_HEADER =
      new ServiceError(
          "MissingRequiredHeader",
          400,
          "An HTTP header that's mandatory for this request is not specified.");
  public static final ServiceError OUT_OF_RANGE_INPUT =
      new ServiceError("OutOfRangeInput", 400, "One of the request inputs is out of range.");
  public static final ServiceError NAME_LENGTH_OUT_OF_RANGE =
      new ServiceError(
          "OutOfRangeInput",
          400,
          "The specified resource name length is not within the permissible limits.");

  /** Azure's text has this spelling mistake. */
  public static final ServiceError INVALID_RESOURCE_NAME =
      new ServiceError(
          "InvalidResourceName", 400, "The specifed resource name contains invalid characters.");

  public static final ServiceError INVALID_XML_DOCUMENT =
      new ServiceError("InvalidXmlDocument", 400, "XML specified is not syntactically valid.");
  public static final ServiceError INVALID_XML_NODE_VALUE =
      new ServiceError(
          "InvalidXmlNodeValue",
          400,
          "The value provided for one of the XML nodes in the request body was not in the correct"
              + " format.");
  public static final ServiceError HOST_INFORMATION_NOT_PRESENT =
      new ServiceError(
          "HostInformationNotPresent",
          400,
          "The required host information is not present in the request. You must send a non-empty"
              + " Host header or include the absolute URI in the request line.");

  /** The error of an account that cannot have a static website; no account of Lazuli can. */
  public static final ServiceError RESOURCE_NOT_FOUND =
      new ServiceError("ResourceNotFound", 404, "The specified resource does not exist.");

  public static final ServiceError METHOD_NOT_ALLOWED =
      new ServiceError(
          "MethodNotAllowed",
          405,
          "The requested method is not allowed on the specified resource.");
  public static final ServiceError UNSUPPORTED_HTTP_VERB =
      new ServiceError(
          "UnsupportedHttpVerb", 405, "The resource doesn't support specified Http Verb.");
  public static final ServiceError NOT_IMPLEMENTED =
      new ServiceError(
          "NotImplemented",
          501,
          "The requested operation is not implemented on the specified resource.");
  public static final ServiceError MISSING_CONTENT_LENGTH_HEADER =
      new ServiceError(
          "MissingContentLengthHeader", 411, "The Content-Length header was not specified.");
  public static final ServiceError REQUEST_BODY_TOO_LARGE =
      new ServiceError(
          "RequestBodyTooLarge",
          413,
          "The request body is too large and exceeds the maximum permissible limit.");
  public static final ServiceError INSUFFICIENT_ACCOUNT_PERMISSIONS =
      new ServiceError("InsufficientAccountPermissions", 403, "Write operations are not allowed.");
  public static final ServiceError KEY_BASED_AUTHENTICATION_NOT_PERMITTED =
      new ServiceError(
          "KeyBasedAuthenticationNotPermitted",
          403,
          "Key based authentication is not permitted on this storage account.");
  public static final ServiceError ACCOUNT_IS_DISABLED =
      new ServiceError("AccountIsDisabled", 403, "The specified account is disabled.");
  public static final ServiceError OPERATION_TIMED_OUT =
      new ServiceError(
          "OperationTimedOut", 500, "Operation could not be completed within the permitted time.");
  public static final ServiceError INTERNAL_ERROR =
      new ServiceError(
          "InternalError",
          500,
          "Server encountered an internal error. Please try again after some time.");
  public static final ServiceError SERVER_BUSY =
      new ServiceError("ServerBusy", 503, "The server is busy.");
  public static final ServiceError ACCOUNT_BUSY =
      new ServiceError("ServerBusy", 503, "Operations per second is over the account limit.");

  private CommonErrors() {}
}
