package io.lazuli.server.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Details that the steps of one request collect for its {@link RequestEvent}. Mutable; belongs to
 * the thread that currently works on the request, and is read once the answer exists.
 */
public final class RequestDetails {
  private @Nullable OperationType operation;
  private String account = "";
  private String table = "";
  private long partitionHash;
  private String planKind = "";
  private long entitiesRead;
  private long entitiesReturned;
  private String errorCode = "";
  private Authentication authentication = Authentication.ANONYMOUS;
  private @Nullable LogSelection logging;
  private @Nullable MetricsSelection metrics;
  private @Nullable String defaultVersion;
  private @Nullable KeyUse keys;
  private @Nullable Subject subject;
  private List<RequestPart> parts = List.of();

  public RequestDetails() {}

  public RequestDetails operation(OperationType type) {
    operation = type;
    return this;
  }

  public RequestDetails account(String name) {
    account = name;
    return this;
  }

  public RequestDetails table(String name) {
    table = name;
    return this;
  }

  /** Sets a hash of the partition key. The key itself may be private. */
  public RequestDetails partitionHash(long hash) {
    partitionHash = hash;
    return this;
  }

  /** Sets the kind of the query's plan and the number of entities that it read and returned. */
  public RequestDetails plan(String kind, long read, long returned) {
    planKind = kind;
    entitiesRead = read;
    entitiesReturned = returned;
    return this;
  }

  public RequestDetails errorCode(String code) {
    errorCode = code;
    return this;
  }

  public RequestDetails authentication(Authentication kind) {
    authentication = kind;
    return this;
  }

  /** Sets the requests that the owner of the service wants logged. Not called if there are none. */
  public RequestDetails logging(LogSelection selection) {
    logging = selection;
    return this;
  }

  /** Sets the metrics that the owner of the service wants. Not called if there are none. */
  public RequestDetails metrics(MetricsSelection selection) {
    metrics = selection;
    return this;
  }

  /** Returns whether somebody wants to know when the answer was sent. */
  public boolean isMeasured() {
    return logging != null || metrics != null;
  }

  /** Sets the stored things that the request is about. */
  public RequestDetails keys(KeyUse use) {
    keys = use;
    return this;
  }

  /** Sets who sent the request, once the server has verified it. */
  public RequestDetails subject(Subject sender) {
    subject = sender;
    return this;
  }

  /** Sets the parts that were authorised and answered by themselves. */
  public RequestDetails parts(List<RequestPart> answered) {
    parts = List.copyOf(answered);
    return this;
  }

  /** Sets the version that the owner of the service chose for requests that name none. */
  public RequestDetails defaultVersion(String version) {
    defaultVersion = version;
    return this;
  }

  public @Nullable String defaultVersion() {
    return defaultVersion;
  }

  /** Returns the event of the finished request. */
  public RequestEvent ended(String requestId, int status, RequestEvent.Transfer transfer) {
    return new RequestEvent(
        requestId,
        operation,
        account,
        table,
        partitionHash,
        planKind,
        entitiesRead,
        entitiesReturned,
        transfer,
        status,
        errorCode,
        authentication,
        logging,
        metrics,
        keys,
        subject,
        parts);
  }
}
