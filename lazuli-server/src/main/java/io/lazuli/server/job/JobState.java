package io.lazuli.server.job;

import java.util.Locale;

/** The states of a job. */
public enum JobState {
  /** It waits for a thread. */
  WAITING,
  RUNNING,
  /** It waits for a person. */
  PAUSED,
  /** It stopped with an error, and can be resumed. */
  FAILED,
  CANCELLED,
  DONE;

  /** Returns whether the job is over for good. */
  public boolean isEnd() {
    return this == CANCELLED || this == DONE;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
