package io.lazuli.server.load.rule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A problem that is open, or was until recently.
 *
 * @param lastSeen the last minute in which the rule held
 * @param over the time when it ended; null while it is open
 * @param silencedUntil null if it is not silenced
 */
public record Diagnosis(
    Symptom symptom,
    Instant since,
    Instant lastSeen,
    @Nullable Instant over,
    @Nullable Instant silencedUntil) {
  public String id() {
    return symptom.id();
  }

  public boolean isOpen() {
    return over == null;
  }
}
