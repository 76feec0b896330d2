package io.lazuli.server.error;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;

/**
 * Ends a request with a {@link ServiceError}. The text is constant and variables are details, so
 * that logs can be counted by code. It has no stack trace, because it is an answer and not a fault.
 * It is a {@link CompletionException}, because futures wrap every other exception in one, with a
 * stack trace.
 */
public final class ServiceException extends CompletionException {
  private static final long serialVersionUID = 1;

  private final transient ServiceError error;
  private final transient Map<String, String> details;

  public ServiceException(ServiceError error) {
    this(error, Map.of());
  }

  private ServiceException(ServiceError error, Map<String, String> details) {
    super(error.code());
    this.error = error;
    this.details = details;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }

  /** Returns a copy with one more detail. */
  public ServiceException with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(details);
    more.put(name, value);
    return new ServiceException(error, more);
  }

  public ServiceError error() {
    return error;
  }

  public Map<String, String> details() {
    return details;
  }

  /** Returns the error's text with the details filled in. */
  public String text() {
    String text = error.message();
    for (Map.Entry<String, String> detail : details.entrySet()) {
      text = text.replace("{" + detail.getKey() + "}", detail.getValue());
    }
    return text;
  }
}
