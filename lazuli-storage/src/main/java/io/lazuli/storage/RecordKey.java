package io.lazuli.storage;

/** Names one record: a partition and the bytes of its row. */
public record RecordKey(Partition partition, Bytes row) {}
