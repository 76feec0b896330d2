package io.lazuli.client.pattern.period;

import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import org.jspecify.annotations.Nullable;

/** Recognises the failures of requests to a table that does not exist or is being deleted. */
final class MissingTable {
  private MissingTable() {}

  static boolean isCauseOf(@Nullable Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof TableServiceException thrown && thrown.getValue() != null) {
        TableErrorCode code = thrown.getValue().getErrorCode();
        return TableErrorCode.TABLE_NOT_FOUND.equals(code)
            || TableErrorCode.TABLE_BEING_DELETED.equals(code);
      }
    }
    return false;
  }
}
