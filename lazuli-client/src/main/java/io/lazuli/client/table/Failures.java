package io.lazuli.client.table;

import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceError;
import com.azure.data.tables.models.TableServiceException;
import io.lazuli.client.entity.EntityKey;

/** Translates exceptions of the SDK into failures of this library. */
final class Failures {
  private static final int PRECONDITION_FAILED = 412;

  private Failures() {}

  /** Returns a typed failure if a caller can act on it, otherwise the SDK's exception. */
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

  /** Returns whether an entity is missing, as opposed to its table. */
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
