package io.lazuli.storage.hbase.call;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.hadoop.hbase.CallDroppedException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.FailedServerException;
import org.apache.hadoop.hbase.ipc.ServerTooBusyException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** A failed call to a region. Its meaning says whether the region may have carried out the call. */
public final class CallFailure extends Exception {
  /** The meaning of a failure: whether the call was carried out, and whether to repeat it. */
  public enum Meaning {
    /** The call was never sent. It may be sent again at once. */
    NOT_SENT,
    /** The region had moved or refused the call. Nothing was done. */
    NOT_EXECUTED,
    /** The region server or the region has too much to do. Nothing was done. */
    BUSY,
    /** The call may have been carried out, or may still be. */
    UNCLEAR,
    /** Repeating the call would fail in the same way. */
    PERMANENT
  }

  private static final long serialVersionUID = 1;

  private static final List<Class<? extends IOException>> NOT_EXECUTED =
      List.of(
          NotServingRegionException.class,
          RegionMovedException.class,
          RegionOpeningException.class,
          WrongRegionException.class);

  /** A region server that has too many calls. */
  private static final List<Class<? extends IOException>> OVERLOADED =
      List.of(CallDroppedException.class, ServerTooBusyException.class);

  /** Failures to reach the server, which therefore never received the call. */
  private static final List<Class<? extends IOException>> UNREACHABLE =
      List.of(FailedServerException.class, ConnectException.class, UnknownHostException.class);

  private final Meaning meaning;

  private CallFailure(Meaning meaning, String message, Throwable cause) {
    super(message, cause);
    this.meaning = meaning;
  }

  /** Creates an unclear failure: the region is not, or no longer, where the call was sent. */
  CallFailure(String message) {
    this(Meaning.UNCLEAR, message, new IOException(message));
  }

  /** Returns the failure of a call that waited for a server which does not have the region. */
  static CallFailure moved() {
    String message = "the region has moved";
    return new CallFailure(Meaning.NOT_SENT, message, new IOException(message));
  }

  /** Returns the same failure with the meaning that it has if the call was not sent yet. */
  CallFailure beforeTheCall() {
    return meaning == Meaning.UNCLEAR
        ? new CallFailure(Meaning.NOT_EXECUTED, String.valueOf(getMessage()), this)
        : this;
  }

  /**
   * Returns what the failure of a call means for one of the requests that shared it. The call as a
   * whole may be impossible, for example because its rows are no longer in one region; each request
   * may still succeed.
   */
  public CallFailure ofOneOfSeveral() {
    return meaning == Meaning.PERMANENT
        ? new CallFailure(Meaning.NOT_EXECUTED, String.valueOf(getMessage()), this)
        : this;
  }

  /** Returns the failure of a request whose shared call was never sent. */
  public static CallFailure notSent(Exception cause) {
    return new CallFailure(Meaning.NOT_SENT, String.valueOf(cause.getMessage()), cause);
  }

  public Meaning meaning() {
    return meaning;
  }

  static CallFailure of(Throwable failure) {
    return new CallFailure(meaning(failure), text(failure), failure);
  }

  /** Returns what a failed call says about the load of its region server. */
  static CallLimit.Outcome outcome(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (isOneOf(OVERLOADED, cause)) {
        return CallLimit.Outcome.REFUSED;
      }
      if (cause instanceof CallTimeoutException) {
        return CallLimit.Outcome.TIMED_OUT;
      }
    }
    return CallLimit.Outcome.FAILED;
  }

  private static Meaning meaning(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (isOneOf(OVERLOADED, cause) || cause instanceof RegionTooBusyException) {
        return Meaning.BUSY;
      }
      if (isOneOf(NOT_EXECUTED, cause) || isOneOf(UNREACHABLE, cause)) {
        return Meaning.NOT_EXECUTED;
      }
      if (isPermanent(cause)) {
        return Meaning.PERMANENT;
      }
    }
    return Meaning.UNCLEAR;
  }

  private static boolean isOneOf(List<Class<? extends IOException>> types, Throwable failure) {
    return types.stream().anyMatch(type -> type.isInstance(failure));
  }

  /**
   * Returns true if the user has no right to write, or if the rows of one partition are in two
   * regions.
   */
  private static boolean isPermanent(Throwable cause) {
    return cause instanceof AccessDeniedException
        || (cause.getClass() == DoNotRetryIOException.class
            && String.valueOf(cause.getMessage()).contains("out of range"));
  }

  /** Returns the innermost reason, on one line. */
  private static String text(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    String message = String.valueOf(innermost.getMessage());
    return innermost.getClass().getSimpleName() + ": " + message.lines().findFirst().orElse("");
  }
}
