package io.lazuli.storage.history.http;

/** The ports of a server. */
public record Ports(int table, int queue, int blob) {}
