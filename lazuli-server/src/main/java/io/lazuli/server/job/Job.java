package io.lazuli.server.job;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One job as it is stored.
 *
 * @param version rises with each change, so that nobody takes an old state for a new one
 * @param wish the state that a person wants a running job to have; RUNNING if nobody does
 * @param asks whether a paused job waits for a person who says that it may go on
 * @param cursor where it goes on after a pause, in the words of its kind
 * @param message what it found or made, or why it failed
 * @param ended when it was over; null if it is not
 * @param result the file that it made; null if there is none
 */
public record Job(
    Order order,
    long version,
    JobState state,
    JobState wish,
    boolean asks,
    Map<String, String> cursor,
    JobProgress progress,
    String message,
    @Nullable Instant ended,
    @Nullable JobResult result,
    Hold hold) {
  public Job {
    cursor = Map.copyOf(cursor);
  }

  /**
   * The part of a job that never changes.
   *
   * @param account the account in which it was ordered
   * @param user who ordered it
   */
  public record Order(
      String id,
      String account,
      String kind,
      Map<String, String> parameters,
      String user,
      Instant created) {
    public Order {
      parameters = Map.copyOf(parameters);
    }
  }

  /**
   * The server that runs a job.
   *
   * @param owner the start of the server; empty if none runs the job
   * @param lease the time from which another server may take the job over
   */
  public record Hold(String owner, Instant lease) {
    static final Hold NONE = new Hold("", Instant.EPOCH);
  }

  static Job ordered(Order order) {
    return new Job(
        order,
        1,
        JobState.WAITING,
        JobState.RUNNING,
        false,
        Map.of(),
        JobProgress.NONE,
        "",
        null,
        null,
        Hold.NONE);
  }

  public String id() {
    return order.id;
  }

  public String account() {
    return order.account;
  }

  public String kind() {
    return order.kind;
  }

  public Map<String, String> parameters() {
    return order.parameters;
  }

  public String user() {
    return order.user;
  }

  public Instant created() {
    return order.created;
  }

  public String owner() {
    return hold.owner;
  }

  public Instant lease() {
    return hold.lease;
  }

  /** Returns the job in another state, in which no server runs it. */
  Job in(JobState next, String why, Instant now) {
    return new Job(
        order,
        version + 1,
        next,
        JobState.RUNNING,
        next == JobState.PAUSED && asks,
        cursor,
        progress,
        why,
        next.isEnd() || next == JobState.FAILED ? now : null,
        result,
        Hold.NONE);
  }

  /** Returns the job as one that a server runs. */
  Job takenBy(String server, Instant until) {
    return new Job(
        order,
        version + 1,
        JobState.RUNNING,
        wish,
        asks,
        wasCutOff(server) ? JobRun.repeated(cursor) : cursor,
        progress,
        message,
        null,
        result,
        new Hold(server, until));
  }

  /** Returns whether the server that ran the job ended without letting go of it. */
  private boolean wasCutOff(String next) {
    return state == JobState.RUNNING
        && !next.isEmpty()
        && !owner().isEmpty()
        && !owner().equals(next);
  }

  Job wanting(JobState next) {
    return new Job(
        order, version + 1, state, next, asks, cursor, progress, message, ended, result, hold);
  }

  Job with(JobRun.Snapshot now) {
    return new Job(
        order,
        version + 1,
        state,
        wish,
        now.asks(),
        now.cursor(),
        now.progress(),
        now.message(),
        ended,
        now.result(),
        hold);
  }

  /** Returns the job after a person has said that it may go on. */
  Job allowed() {
    return new Job(
        order,
        version + 1,
        JobState.WAITING,
        JobState.RUNNING,
        false,
        asks ? JobRun.allowed(cursor) : cursor,
        progress,
        "",
        null,
        result,
        Hold.NONE);
  }
}
