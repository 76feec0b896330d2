package io.lazuli.server.http;

import io.lazuli.server.tls.TlsIdentity;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where and how to listen.
 *
 * @param port 0 for any that is free
 * @param targetBytesMax of the request line; more is 414
 * @param headerBytesMax of all headers; more is 431
 * @param connectionsMax one more is closed at once
 * @param idleTimeout a connection on which nothing moves for so long is closed
 * @param headTimeMax a connection whose request head takes longer to come is closed
 * @param bodyTimeMax a request whose body takes longer to come is refused
 * @param discardedBytesMax of an unwanted body; the connection is closed when more comes
 * @param discardTimeMax how long an unwanted body may come on before the connection is closed
 * @param identity with which the listener begins to speak https; null for http
 * @param handshakeTimeMax a connection whose TLS handshake takes longer is closed
 */
public record ListenerConfig(
    String host,
    int port,
    int targetBytesMax,
    int headerBytesMax,
    int connectionsMax,
    Duration idleTimeout,
    Duration headTimeMax,
    Duration bodyTimeMax,
    long discardedBytesMax,
    Duration discardTimeMax,
    @Nullable TlsIdentity identity,
    Duration handshakeTimeMax) {}
