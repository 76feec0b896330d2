package io.lazuli.server.table.service;

/**
 * An entity as it is stored; the arrays belong to it.
 *
 * @param partition bytes of the PartitionKey
 * @param row bytes of the RowKey
 * @param record as the encoding package reads it
 */
public record StoredEntity(byte[] partition, byte[] row, byte[] record) {}
