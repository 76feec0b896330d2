package io.lazuli.server.wire;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;

/** {@code InvalidXmlDocument} with the details that the services return (queue-rest 2.6). */
public final class InvalidXml {
  private InvalidXml() {}

  /** Returns the error for a document that is not well-formed at this position. */
  public static ServiceException at(int line, int position) {
    return of(line, position, "Error parsing Xml content");
  }

  /** Returns the error for a well-formed document with invalid content. */
  public static ServiceException because(String reason) {
    return of(0, 0, reason);
  }

  private static ServiceException of(int line, int position, String reason) {
    return CommonErrors.INVALID_XML_DOCUMENT
        .exception()
        .with("LineNumber", Integer.toString(line))
        .with("LinePosition", Integer.toString(position))
        .with("Reason", reason);
  }
}
