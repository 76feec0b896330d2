package io.lazuli.server.event;

import org.jspecify.annotations.Nullable;

/**
 * One request that is over. Texts are empty where nothing is known, for instance because the
 * request was refused early.
 *
 * @param operation null if the request was refused before its operation was known
 * @param planKind the kind of a query's plan
 * @param transfer what went over the network, and how long it took
 * @param errorCode as on the wire; empty on success
 * @param logging what the owner of the service wants logged; null for nothing
 */
public record RequestEvent(
    String requestId,
    @Nullable OperationType operation,
    String account,
    String table,
    long partitionHash,
    String planKind,
    long entitiesRead,
    long entitiesReturned,
    Transfer transfer,
    int status,
    String errorCode,
    Authentication authentication,
    @Nullable LogSelection logging) {

  /**
   * What went over the network.
   *
   * @param bytesIn of the body that were read
   * @param bytesOut of the answer's body that were written
   * @param nanos from the head of the request until its answer was sent
   * @param serverNanos of these, without the time in which the body came and the answer left
   * @param complete false if the client was gone before it had the answer
   */
  public record Transfer(
      long bytesIn, long bytesOut, long nanos, long serverNanos, boolean complete) {}
}
