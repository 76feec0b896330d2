package io.lazuli.server.job;

/** Ends a job. The message is a sentence for people. */
public final class JobFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  public JobFailure(String sentence) {
    super(sentence);
  }

  public JobFailure(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
