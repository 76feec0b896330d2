package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.tag.TagExpression;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Ticks;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The conditional headers of a request and their effects (blob-rest 4). A failed condition is a
 * value: the error to answer with.
 *
 * <p>Dates are compared in whole seconds, because {@code Last-Modified} is not more precise.
 *
 * <p>Reads may combine the headers freely. {@code If-Match} and {@code If-Unmodified-Since} must
 * hold if they are given. Of {@code If-None-Match} and {@code If-Modified-Since}, one must hold if
 * any is given. Writes may send one header, or a tag together with a date of the same sense; then
 * only the tag counts.
 *
 * <p>{@code x-ms-if-tags} is a condition on the tags of a blob. It must hold together with the
 * others; a blob that does not exist has no tags, so it never meets the condition. Its error is the
 * same for all uses (blob-features 1.6).
 *
 * @param ifTags null if there is no condition on tags
 */
public record Conditions(
    @Nullable ETagCondition ifMatch,
    @Nullable ETagCondition ifNoneMatch,
    @Nullable Instant ifModifiedSince,
    @Nullable Instant ifUnmodifiedSince,
    @Nullable TagExpression ifTags) {
  public static final Conditions NONE = new Conditions(null, null, null, null);

  /** Creates conditions without one on the tags of the blob. */
  public Conditions(
      @Nullable ETagCondition ifMatch,
      @Nullable ETagCondition ifNoneMatch,
      @Nullable Instant ifModifiedSince,
      @Nullable Instant ifUnmodifiedSince) {
    this(ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince, null);
  }

  /** The kinds of requests, by their use of the resource that the conditions apply to. */
  public enum Use {
    /** Reads the resource. */
    READ,
    /** Changes or deletes an existing resource. */
    WRITE,
    /** Creates or replaces a blob. */
    CREATE,
    /** Creates or replaces a blob by a copy; synchronous copies are {@link #CREATE}. */
    COPY_TARGET,
    /** Creates or replaces a blob with the content of a URL, in Put Blob From URL. */
    URL_TARGET,
    /** Reads the source of Copy Blob or of Put Blob From URL; combines headers as reads do. */
    COPY_SOURCE,
    /** Reads the source of a synchronous copy or of a block; combines headers as reads do. */
    URL_SOURCE
  }

  public Conditions withIfTags(@Nullable TagExpression expression) {
    return new Conditions(ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince, expression);
  }

  /** Returns the conditions without tags: containers support only dates. */
  public Conditions datesOnly() {
    return new Conditions(null, null, ifModifiedSince, ifUnmodifiedSince);
  }

  /** Returns why these headers cannot be combined, whatever the resource; null if they can. */
  public @Nullable ServiceError formRefusal(Use use) {
    if (use == Use.READ || use == Use.COPY_SOURCE || use == Use.URL_SOURCE) {
      return null;
    }
    boolean asksForChange = ifNoneMatch != null || ifModifiedSince != null;
    boolean asksForNone = ifMatch != null || ifUnmodifiedSince != null;
    boolean list =
        (ifMatch != null && ifMatch.isList()) || (ifNoneMatch != null && ifNoneMatch.isList());
    return list || (asksForChange && asksForNone) ? BlobErrors.MULTIPLE_CONDITION_HEADERS : null;
  }

  /**
   * Returns why an existing blob does not meet the conditions; null if it does.
   *
   * @param changedTicks the time of its last change, from which its ETag is made
   */
  public @Nullable ServiceError refusal(Use use, long changedTicks, BlobTags tags) {
    ServiceError refusal = refusal(use, changedTicks);
    boolean tagsRefuse = ifTags != null && !ifTags.matches(tags.values());
    return refusal == null && tagsRefuse ? BlobErrors.CONDITION_NOT_MET : refusal;
  }

  /**
   * Returns why an existing resource does not meet the conditions on its ETag and date; null if it
   * does.
   *
   * @param changedTicks the time of its last change, from which its tag is made
   */
  public @Nullable ServiceError refusal(Use use, long changedTicks) {
    return switch (use) {
      case READ -> readRefusal(changedTicks, BlobErrors.CONDITION_NOT_MET, BlobErrors.NOT_MODIFIED);
      case COPY_SOURCE ->
          readRefusal(
              changedTicks,
              BlobErrors.SOURCE_CONDITION_NOT_MET,
              BlobErrors.SOURCE_CONDITION_NOT_MET);
      case URL_SOURCE ->
          readRefusal(
              changedTicks,
              BlobErrors.COPY_SOURCE_CONDITION_NOT_MET,
              BlobErrors.COPY_SOURCE_NOT_MODIFIED);
      case WRITE, CREATE, COPY_TARGET, URL_TARGET -> writeRefusal(use, changedTicks);
    };
  }

  /** Returns why a missing resource does not meet the conditions; null if it may be created. */
  public @Nullable ServiceError refusalIfMissing(Use use) {
    return switch (use) {
      case READ, WRITE -> BlobErrors.BLOB_NOT_FOUND;
      case COPY_SOURCE, URL_SOURCE -> BlobErrors.COPY_SOURCE_NOT_FOUND;
      case CREATE -> ifMatch == null ? tagRefusalIfMissing() : BlobErrors.CONDITION_NOT_MET;
      case COPY_TARGET, URL_TARGET ->
          ifMatch == null ? tagRefusalIfMissing() : BlobErrors.TARGET_CONDITION_NOT_MET;
    };
  }

  private @Nullable ServiceError tagRefusalIfMissing() {
    return ifTags == null ? null : BlobErrors.CONDITION_NOT_MET;
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
    return use == Use.COPY_TARGET || use == Use.URL_TARGET
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
