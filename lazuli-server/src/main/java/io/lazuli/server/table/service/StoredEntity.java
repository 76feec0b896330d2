package io.lazuli.server.table.service;

/**
 * An entity as it is stored. It owns its arrays.
 *
 * @param partition the bytes of the PartitionKey
 * @param row the bytes of the RowKey
 * @param record the stored value, as {@code EntityCodec} writes it
 */
public record StoredEntity(byte[] partition, byte[] row, byte[] record) {}
