package io.lazuli.server.config;

/**
 * A value as it was written.
 *
 * @param origin the place, as shown to operators: an option, a variable, or a file and line
 */
public record Given(String text, String origin) {}
