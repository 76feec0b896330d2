package io.lazuli.server.http;

import java.time.Duration;

/**
 * Where and how to listen.
 *
 * @param port 0 for any that is free
 * @param targetBytesMax of the request line; more is 414
 * @param headerBytesMax of all headers; more is 431
 * @param connectionsMax one more is closed at once
 * @param idleTimeout a connection on which nothing moves for so long is closed
 */
public record ListenerConfig(
    String host,
    int port,
    int targetBytesMax,
    int headerBytesMax,
    int connectionsMax,
    Duration idleTimeout) {}
