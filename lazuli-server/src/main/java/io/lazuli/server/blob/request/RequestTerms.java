package io.lazuli.server.blob.request;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks of the blob or container that is there, before anything is done to it. That
 * the conditions can stand together ({@link Conditions#formRefusal}) was checked by whoever decoded
 * them.
 *
 * @param leaseId null if the request gave none
 */
public record RequestTerms(Conditions conditions, @Nullable UUID leaseId) {
  public static final RequestTerms NONE = new RequestTerms(Conditions.NONE, null);
}
