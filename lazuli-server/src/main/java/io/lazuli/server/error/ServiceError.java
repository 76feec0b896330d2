package io.lazuli.server.error;

/**
 * One error of the protocol.
 *
 * @param code the code as on the wire
 * @param status the HTTP status
 * @param message a constant text; {@code {name}} stands for the detail of that name
 */
public record ServiceError(String code, int status, String message) {
  /** Returns an exception with this error and no details. */
  public ServiceException exception() {
    return new ServiceException(this);
  }
}
