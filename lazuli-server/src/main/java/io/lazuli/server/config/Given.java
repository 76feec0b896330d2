package io.lazuli.server.config;

/**
 * A value as somebody wrote it.
 *
 * @param origin where, as operators are told: an option, a variable, a file and its line
 */
public record Given(String text, String origin) {}
