package io.lazuli.server.load.rule;

/**
 * A figure that supports a diagnosis.
 *
 * @param bound the value from which it counts; empty if it is for information
 */
public record Evidence(String label, String value, String bound) {}
