package io.lazuli.server.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * All settings of one run of the command line: the server, and its logging.
 *
 * @param host the host of services for which no other host is set
 * @param logFile null for the standard error
 * @param accessLog true to print each request to the standard output
 * @param stopTimeMax the maximum time from a signal to the end of the process
 */
public record Launch(
    ServerConfig server,
    String host,
    LogLevel logLevel,
    LogFormat logFormat,
    @Nullable Path logFile,
    boolean accessLog,
    Duration stopTimeMax) {}
