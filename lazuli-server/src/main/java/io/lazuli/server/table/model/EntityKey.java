package io.lazuli.server.table.model;

/** What names an entity in its table. */
public record EntityKey(String partitionKey, String rowKey) {}
