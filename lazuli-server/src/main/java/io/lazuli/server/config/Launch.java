package io.lazuli.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * All that is set for one run of the command line: the server, and what is around it.
 *
 * @param host of the services that have none of their own
 * @param logFile null for the standard error
 * @param accessLog whether each request is printed to the standard output
 */
public record Launch(
    ServerConfig server,
    String host,
    LogLevel logLevel,
    @Nullable Path logFile,
    boolean accessLog) {}
