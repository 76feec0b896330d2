package io.lazuli.server.auth;

/**
 * One field of a string-to-sign.
 *
 * @param name the name in Azure's documentation
 */
public record SignedField(String name, String value) {}
