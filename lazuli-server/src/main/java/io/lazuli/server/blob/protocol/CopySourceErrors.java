package io.lazuli.server.blob.protocol;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import java.util.Map;

/**
 * The errors {@code CannotVerifyCopySource}. Their details repeat the error with which the source
 * would answer a read (blob-features 5.4).
 */
final class CopySourceErrors {
  private static final Map<ServiceError, ServiceError> ANSWERS =
      Map.of(
          BlobErrors.COPY_SOURCE_NOT_AUTHORISED, CommonErrors.NO_AUTHENTICATION_INFORMATION,
          BlobErrors.COPY_SOURCE_NOT_FOUND, BlobErrors.BLOB_NOT_FOUND,
          BlobErrors.COPY_SOURCE_CONDITION_NOT_MET, BlobErrors.CONDITION_NOT_MET,
          BlobErrors.COPY_SOURCE_NOT_MODIFIED, BlobErrors.NOT_MODIFIED);

  private CopySourceErrors() {}

  /** Returns the error for a signature in the URL of the source that does not permit the read. */
  static ServiceException refused(ServiceException answer) {
    ServiceError error =
        new ServiceError("CannotVerifyCopySource", answer.error().status(), answer.text());
    return with(error, answer.error(), answer.text());
  }

  /** Returns the failure of a copy, with details if the source is the reason. */
  static Throwable detailed(Throwable failure) {
    if (!(failure instanceof ServiceException exception)) {
      return failure;
    }
    ServiceError answer = ANSWERS.get(exception.error());
    return answer == null ? failure : with(exception.error(), answer, answer.message());
  }

  private static ServiceException with(ServiceError error, ServiceError answer, String text) {
    return error
        .exception()
        .with("CopySourceStatusCode", Integer.toString(answer.status()))
        .with("CopySourceErrorCode", answer.code())
        .with("CopySourceErrorMessage", text);
  }
}
