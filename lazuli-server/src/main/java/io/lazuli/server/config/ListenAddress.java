package io.lazuli.server.config;

/**
 * The address of one listener.
 *
 * @param port 0 for any free port
 */
public record ListenAddress(String host, int port) {}
