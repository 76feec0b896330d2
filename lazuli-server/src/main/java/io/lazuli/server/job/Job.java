package io.lazuli.server.job;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One job as it is stored.
 *
 * @param version rises with each change, so that nobody takes an old state for a new one
 * @param account the account in which it was ordered
 * @param user who ordered it
 * @param wish the state that a person wants a running job to have; RUNNING if nobody does
 * @param asks whether a paused job waits for a person who says that it may go on
 * @param cursor where it goes on after a pause, in the words of its kind
 * @param message what it found or made, or why it failed
 * @param ended when it was over; null if it is not
 * @param result the file that it made; null if there is none
 * @param owner the start of a server that runs it; empty if none does
 * @param lease the time from which another server may take it over
 */
public record Job(
    String id,
    long version,
    String account,
    String kind,
    Map<String, String> parameters,
    String user,
    Instant created,
    JobState state,
    JobState wish,
    boolean asks,
    Map<String, String> cursor,
    JobProgress progress,
    String message,
    @Nullable Instant ended,
    @Nullable JobResult result,
    String owner,
    Instant lease) {
  public Job {
    parameters = Map.copyOf(parameters);
    cursor = Map.copyOf(cursor);
  }

  static Job ordered(
      String id,
      String account,
      String kind,
      Map<String, String> parameters,
      String user,
      Instant now) {
    return new Job(
        id,
        1,
        account,
        kind,
        parameters,
        user,
        now,
        JobState.WAITING,
        JobState.RUNNING,
        false,
        Map.of(),
        JobProgress.NONE,
        "",
        null,
        null,
        "",
        Instant.EPOCH);
  }

  /** Returns the job in another state, in which no server runs it. */
  Job in(JobState next, String why, Instant now) {
    return new Job(
        id,
        version + 1,
        account,
        kind,
        parameters,
        user,
        created,
        next,
        JobState.RUNNING,
        next == JobState.PAUSED && asks,
        cursor,
        progress,
        why,
        next.isEnd() || next == JobState.FAILED ? now : null,
        result,
        "",
        Instant.EPOCH);
  }

  /** Returns the job as one that a server runs. */
  Job takenBy(String server, Instant until) {
    return new Job(
        id,
        version + 1,
        account,
        kind,
        parameters,
        user,
        created,
        JobState.RUNNING,
        wish,
        asks,
        wasCutOff(server) ? JobRun.repeated(cursor) : cursor,
        progress,
        message,
        null,
        result,
        server,
        until);
  }

  /** Returns whether the server that ran the job ended without letting go of it. */
  private boolean wasCutOff(String next) {
    return state == JobState.RUNNING && !next.isEmpty() && !owner.isEmpty() && !owner.equals(next);
  }

  Job wanting(JobState next) {
    return new Job(
        id,
        version + 1,
        account,
        kind,
        parameters,
        user,
        created,
        state,
        next,
        asks,
        cursor,
        progress,
        message,
        ended,
        result,
        owner,
        lease);
  }

  Job with(JobRun.Snapshot now) {
    return new Job(
        id,
        version + 1,
        account,
        kind,
        parameters,
        user,
        created,
        state,
        wish,
        now.asks(),
        now.cursor(),
        now.progress(),
        now.message(),
        ended,
        now.result(),
        owner,
        lease);
  }

  /** Returns the job after a person has said that it may go on. */
  Job allowed() {
    return new Job(
        id,
        version + 1,
        account,
        kind,
        parameters,
        user,
        created,
        JobState.WAITING,
        JobState.RUNNING,
        false,
        asks ? JobRun.allowed(cursor) : cursor,
        progress,
        "",
        null,
        result,
        "",
        Instant.EPOCH);
  }
}
