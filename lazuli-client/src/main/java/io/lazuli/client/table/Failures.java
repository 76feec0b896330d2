package io.lazuli.client.table;

import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceError;
import com.azure.data.tables.models.TableServiceException;
import io.lazuli.client.entity.EntityKey;

/** Which of the service's refusals are failures of ours. */
final class Failures {
  private static final int PRECONDITION_FAILED = 412;

  private Failures() {}

  /** A typed failure, if a caller can act on it; else what the SDK threw. */
  static Throwable of(EntityKey key, TableServiceException thrown) {
    if (isNotFound(thrown)) {
      return new NotFound(key, thrown);
    }
    if (hasCode(thrown, TableErrorCode.ENTITY_ALREADY_EXISTS)) {
      return new AlreadyExists(key, thrown);
    }
    return status(thrown) == PRECONDITION_FAILED
            || hasCode(thrown, TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED)
        ? new ConditionNotMet(key, thrown)
        : thrown;
  }

  /** An entity that is not there; not one whose table is not there. */
  static boolean isNotFound(TableServiceException thrown) {
    return hasCode(thrown, TableErrorCode.RESOURCE_NOT_FOUND)
        || hasCode(thrown, TableErrorCode.ENTITY_NOT_FOUND);
  }

  private static boolean hasCode(TableServiceException thrown, TableErrorCode code) {
    TableServiceError error = thrown.getValue();
    return error != null && code.equals(error.getErrorCode());
  }

  private static int status(TableServiceException thrown) {
    return thrown.getResponse() == null ? 0 : thrown.getResponse().getStatusCode();
  }
}
