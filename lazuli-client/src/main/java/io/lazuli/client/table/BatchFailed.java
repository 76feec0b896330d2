package io.lazuli.client.table;

import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceError;
import com.azure.data.tables.models.TableServiceException;
import io.lazuli.client.entity.EntityKey;
import java.util.Map;

/**
 * A batch in which one write was rejected, so that none was made. The cause is the failure of that
 * write: {@link NotFound}, {@link AlreadyExists}, {@link ConditionNotMet}, or the SDK's exception.
 */
public final class BatchFailed extends TableFailure {
  private static final long serialVersionUID = 1;

  private static final String LARGE =
      "; store large values in blobs: io.lazuli.client.pattern.large (P11)";
  private static final Map<String, String> ADVICE =
      Map.of(
          "PropertyValueTooLarge",
          LARGE,
          "EntityTooLarge",
          LARGE + ", or split the entity: io.lazuli.client.pattern.wide (P10)");

  private final int index;
  private final transient Write<?> write;
  private final String code;
  private final String reason;

  BatchFailed(
      int index, Write<?> write, EntityKey key, TableServiceException thrown, Throwable cause) {
    this(index, write, key, code(thrown), reason(thrown), cause);
  }

  private BatchFailed(
      int index, Write<?> write, EntityKey key, String code, String reason, Throwable cause) {
    super(key, message(index, key, code, reason), cause);
    this.index = index;
    this.write = write;
    this.code = code;
    this.reason = reason;
  }

  private static String message(int index, EntityKey key, String code, String reason) {
    return "write %d of the batch, %s, was rejected: %s: %s%s"
        .formatted(index, key, code, reason, ADVICE.getOrDefault(code, ""));
  }

  private static String code(TableServiceException thrown) {
    TableServiceError error = thrown.getValue();
    TableErrorCode code = error == null ? null : error.getErrorCode();
    return code == null ? "" : code.toString();
  }

  /** Returns the first line of the service's message, without the index before it. */
  private static String reason(TableServiceException thrown) {
    TableServiceError error = thrown.getValue();
    String message = error == null ? thrown.getMessage() : error.getErrorMessage();
    return message == null
        ? ""
        : message.lines().findFirst().orElse("").replaceFirst("^[0-9]+:", "");
  }

  /**
   * Returns the index of the rejected write, from 0. After {@link AsyncTable#inChunks} it is the
   * index in the whole list.
   */
  public int index() {
    return index;
  }

  /** Returns the rejected write with the entity as the caller gave it. */
  public Write<?> write() {
    return write;
  }

  /** Returns the service's error code, such as {@code EntityAlreadyExists}; empty if unknown. */
  public String code() {
    return code;
  }

  /** Returns the service's reason in words. */
  public String reason() {
    return reason;
  }
}
