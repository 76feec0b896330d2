package io.lazuli.server.error;

/**
 * One error of the protocol.
 *
 * @param code as on the wire
 * @param status of HTTP
 * @param message constant text; {@code {name}} stands for the detail of that name
 */
public record ServiceError(String code, int status, String message) {
  /** An exception of this error without details. */
  public ServiceException exception() {
    return new ServiceException(this);
  }
}
