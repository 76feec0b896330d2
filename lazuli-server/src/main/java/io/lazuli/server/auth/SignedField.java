package io.lazuli.server.auth;

/**
 * One field of a string-to-sign.
 *
 * @param name as Azure's documentation calls it
 */
public record SignedField(String name, String value) {}
