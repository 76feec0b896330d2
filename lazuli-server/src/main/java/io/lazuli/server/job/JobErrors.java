package io.lazuli.server.job;

import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;

/** The errors of jobs. Their texts are for people. */
public final class JobErrors {
  public static final ServiceError NO_JOB =
      new ServiceError("JobNotFound", 404, "There is no job of this name.");
  public static final ServiceError NO_RESULT =
      new ServiceError("NoResult", 404, "This job has no file, or the server has removed it.");
  public static final ServiceError NO_FILE =
      new ServiceError("FileNotFound", 404, "The uploaded file is not there any more.");
  public static final ServiceError WRONG_STATE =
      new ServiceError("WrongState", 409, "The job is {state}.");
  public static final ServiceError TOO_MANY =
      new ServiceError(
          "TooManyJobs", 409, "There are 100 jobs that are not over. Cancel some of them.");
  public static final ServiceError BAD_ORDER = new ServiceError("InvalidInput", 400, "{why}");

  private JobErrors() {}

  /** Returns an error about an order. The text must not quote what the client sent. */
  public static ServiceException badOrder(String why) {
    return BAD_ORDER.exception().with("why", why);
  }
}
