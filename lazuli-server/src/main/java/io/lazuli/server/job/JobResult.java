package io.lazuli.server.job;

/**
 * The file that a job made.
 *
 * @param name the name that a browser saves it under
 * @param chunks the number of chunks in which it is stored
 */
public record JobResult(String name, long bytes, int chunks) {}
