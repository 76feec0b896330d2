package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Ticks;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The conditional headers of a request and what follows from them (blob-rest 4). A failed condition
 * is a value: the error to answer.
 *
 * <p>Dates are compared in whole seconds, because {@code Last-Modified} shows no more.
 *
 * <p>Reads combine what they like: {@code If-Match} and {@code If-Unmodified-Since} and (the
 * others, one of which is enough). Writes may send one header, or a tag beside a date of the same
 * sense, of which only the tag counts.
 */
public record Conditions(
    @Nullable ETagCondition ifMatch,
    @Nullable ETagCondition ifNoneMatch,
    @Nullable Instant ifModifiedSince,
    @Nullable Instant ifUnmodifiedSince) {
  public static final Conditions NONE = new Conditions(null, null, null, null);

  /** What a request does with the resource that its conditions are about. */
  public enum Use {
    /** Get, head. */
    READ,
    /** Changes or deletes what is there. */
    WRITE,
    /** Puts a blob in place, whether there was one or not. */
    CREATE,
    /** Puts a copy in place; the synchronous form of copies is {@link #CREATE}. */
    COPY_TARGET,
    /** Reads what is copied; combines headers as reads do. */
    COPY_SOURCE
  }

  /** The same without tags: containers know dates only. */
  public Conditions datesOnly() {
    return new Conditions(null, null, ifModifiedSince, ifUnmodifiedSince);
  }

  /** Why these headers cannot stand together, whatever the resource; null if they can. */
  public @Nullable ServiceError formRefusal(Use use) {
    if (use == Use.READ || use == Use.COPY_SOURCE) {
      return null;
    }
    boolean asksForChange = ifNoneMatch != null || ifModifiedSince != null;
    boolean asksForNone = ifMatch != null || ifUnmodifiedSince != null;
    boolean list =
        (ifMatch != null && ifMatch.isList()) || (ifNoneMatch != null && ifNoneMatch.isList());
    return list || (asksForChange && asksForNone) ? BlobErrors.MULTIPLE_CONDITION_HEADERS : null;
  }

  /**
   * Why a resource that is there does not meet the conditions; null if it does.
   *
   * @param changedTicks its last change, which its tag is made of
   */
  public @Nullable ServiceError refusal(Use use, long changedTicks) {
    return switch (use) {
      case READ -> readRefusal(changedTicks, BlobErrors.CONDITION_NOT_MET, BlobErrors.NOT_MODIFIED);
      case COPY_SOURCE ->
          readRefusal(
              changedTicks,
              BlobErrors.SOURCE_CONDITION_NOT_MET,
              BlobErrors.SOURCE_CONDITION_NOT_MET);
      case WRITE, CREATE, COPY_TARGET -> writeRefusal(use, changedTicks);
    };
  }

  /** Why nothing being there does not meet the conditions; null if the blob may be made. */
  public @Nullable ServiceError refusalIfMissing(Use use) {
    return switch (use) {
      case READ, WRITE -> BlobErrors.BLOB_NOT_FOUND;
      case COPY_SOURCE -> BlobErrors.COPY_SOURCE_NOT_FOUND;
      case CREATE -> ifMatch == null ? null : BlobErrors.CONDITION_NOT_MET;
      case COPY_TARGET -> ifMatch == null ? null : BlobErrors.TARGET_CONDITION_NOT_MET;
    };
  }

  private @Nullable ServiceError readRefusal(
      long changedTicks, ServiceError changed, ServiceError unchanged) {
    boolean same = ifMatch == null || ifMatch.names(changedTicks);
    if (!same || (ifUnmodifiedSince != null && isAfter(changedTicks, ifUnmodifiedSince))) {
      return changed;
    }
    if (ifNoneMatch != null && ifNoneMatch.any()) {
      return BlobErrors.UNSATISFIABLE_CONDITION;
    }
    if (ifNoneMatch == null && ifModifiedSince == null) {
      return null;
    }
    boolean otherTag = ifNoneMatch != null && !ifNoneMatch.names(changedTicks);
    boolean newer = ifModifiedSince != null && isAfter(changedTicks, ifModifiedSince);
    return otherTag || newer ? null : unchanged;
  }

  private @Nullable ServiceError writeRefusal(Use use, long changedTicks) {
    if (ifNoneMatch != null && ifNoneMatch.any()) {
      return use == Use.WRITE ? null : BlobErrors.BLOB_ALREADY_EXISTS;
    }
    if (isMetByWrite(changedTicks)) {
      return null;
    }
    return use == Use.COPY_TARGET
        ? BlobErrors.TARGET_CONDITION_NOT_MET
        : BlobErrors.CONDITION_NOT_MET;
  }

  private boolean isMetByWrite(long changedTicks) {
    if (ifMatch != null) {
      return ifMatch.names(changedTicks);
    } else if (ifNoneMatch != null) {
      return !ifNoneMatch.names(changedTicks);
    } else if (ifModifiedSince != null) {
      return isAfter(changedTicks, ifModifiedSince);
    }
    return ifUnmodifiedSince == null || !isAfter(changedTicks, ifUnmodifiedSince);
  }

  private static boolean isAfter(long changedTicks, Instant time) {
    return Ticks.toInstant(changedTicks).getEpochSecond() > time.getEpochSecond();
  }
}
