package io.lazuli.server.event;

/**
 * One answered request. Texts are empty where nothing is known, for instance because the request
 * was refused early.
 *
 * @param planKind the kind of a query's plan
 * @param bytesIn length of the body that was read
 * @param bytesOut length of the answer's body
 * @param nanos from the head of the request to the answer
 * @param errorCode as on the wire; empty on success
 */
public record RequestEvent(
    String requestId,
    String operation,
    String account,
    String table,
    long partitionHash,
    String planKind,
    long entitiesRead,
    long entitiesReturned,
    long bytesIn,
    long bytesOut,
    long nanos,
    int status,
    String errorCode) {}
