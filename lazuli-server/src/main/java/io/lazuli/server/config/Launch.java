package io.lazuli.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one run of the command line: the server, and its logging.
 *
 * @param host the host of services for which no other host is set
 * @param logFile null for the standard error
 * @param accessLog true to print each request to the standard output
 */
public record Launch(
    ServerConfig server,
    String host,
    LogLevel logLevel,
    @Nullable Path logFile,
    boolean accessLog) {}
