package io.lazuli.server.event;

import org.jspecify.annotations.Nullable;

/**
 * What the steps of one request note about it, for its {@link RequestEvent}. Mutable; belongs to
 * the thread that works on the request at the moment, and is read once the answer is there.
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
  private @Nullable String defaultVersion;

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

  /** A hash of the partition key; the key itself may be private. */
  public RequestDetails partitionHash(long hash) {
    partitionHash = hash;
    return this;
  }

  /** The kind of the query's plan and how many entities it read and gave back. */
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

  /** What the owner of the service wants logged, if it is anything. */
  public RequestDetails logging(LogSelection selection) {
    logging = selection;
    return this;
  }

  public boolean isLogged() {
    return logging != null;
  }

  /** The version that the owner of the service has set for requests that name none. */
  public RequestDetails defaultVersion(String version) {
    defaultVersion = version;
    return this;
  }

  public @Nullable String defaultVersion() {
    return defaultVersion;
  }

  /** The event of the request, now that it is over. */
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
        logging);
  }
}
