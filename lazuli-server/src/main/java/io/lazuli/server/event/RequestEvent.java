package io.lazuli.server.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A finished request. Texts are empty if nothing is known, for instance because the request was
 * refused early.
 *
 * @param operation the operation; null if the request was refused before it was known
 * @param planKind the kind of a query's plan
 * @param transfer the bytes that were transferred, and the time
 * @param errorCode the code as on the wire; empty on success
 * @param logging the requests that the owner of the service wants logged; null for none
 * @param metrics the metrics that the owner of the service wants; null for none
 * @param keys the stored things that the request is about; null if nothing is known
 * @param subject who sent the request; null if the server did not verify that
 * @param parts the parts that were authorised and answered by themselves
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
    @Nullable LogSelection logging,
    @Nullable MetricsSelection metrics,
    @Nullable KeyUse keys,
    @Nullable Subject subject,
    List<RequestPart> parts) {

  /**
   * The bytes that were transferred, and the time.
   *
   * @param bytesIn the bytes of the body that were read
   * @param bytesOut the bytes of the answer's body that were written
   * @param nanos the time from the head of the request until the answer was sent
   * @param serverNanos the part of {@code nanos} without receiving the body and sending the answer
   * @param complete false if the client disconnected before it received the answer
   */
  public record Transfer(
      long bytesIn, long bytesOut, long nanos, long serverNanos, boolean complete) {
    /** That of a part of a request, which is not measured. */
    public static final Transfer NONE = new Transfer(0, 0, 0, 0, true);
  }
}
