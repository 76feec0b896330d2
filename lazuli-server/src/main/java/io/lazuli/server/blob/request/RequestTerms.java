package io.lazuli.server.blob.request;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The preconditions of a request on a blob or container. The decoder has already checked that the
 * conditions can be combined ({@link Conditions#formRefusal}).
 *
 * @param leaseId null if the request gave none
 */
public record RequestTerms(Conditions conditions, @Nullable UUID leaseId) {
  public static final RequestTerms NONE = new RequestTerms(Conditions.NONE, null);
}
