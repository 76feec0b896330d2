package io.lazuli.server.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A job under way. Used by one thread. */
public interface JobWork {
  /**
   * Does a short part, and then moves the cursor of the run. A part that failed, or that a crash
   * cut off, is repeated from the cursor before it: repeating must do no harm.
   *
   * @return the pause before the next part; null at the end
   */
  @Nullable Duration step();

  /** Called when a person or the end of the server stops the job, which may go on later. */
  default void stop(JobState next) {}
}
