package io.lazuli.server.http;

import io.lazuli.server.tls.TlsIdentity;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The address and the limits of a listener.
 *
 * @param port the port; 0 for any free one
 * @param targetBytesMax the maximum length of the request line; a longer one gets 414
 * @param headerBytesMax the maximum length of all headers; longer ones get 431
 * @param headerLinesMax the maximum number of headers; more get 431
 * @param idleTimeout a connection is closed after this time without any data
 * @param headTimeMax the maximum time for the head of a request; then the connection is closed
 * @param bodyTimeMax the maximum time for the body of a request; then the request is refused
 * @param discardedBytesMax the maximum bytes of a discarded body; then the connection is closed
 * @param discardTimeMax the maximum time for discarding a body; then the connection is closed
 * @param identity the first TLS identity of the listener; null for http
 * @param handshakeTimeMax the maximum time for a TLS handshake; then the connection is closed
 */
public record ListenerConfig(
    String host,
    int port,
    int targetBytesMax,
    int headerBytesMax,
    int headerLinesMax,
    Duration idleTimeout,
    Duration headTimeMax,
    Duration bodyTimeMax,
    long discardedBytesMax,
    Duration discardTimeMax,
    @Nullable TlsIdentity identity,
    Duration handshakeTimeMax) {}
