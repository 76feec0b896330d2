package io.lazuli.server.table.model;

/** The key of an entity in its table. */
public record EntityKey(String partitionKey, String rowKey) {}
