package io.lazuli.server.event;

/**
 * A part of a batch that was authorised and answered by itself.
 *
 * @param path the path as the client wrote it
 */
public record RequestPart(String path, RequestEvent event) {}
