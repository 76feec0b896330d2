package io.lazuli.storage;

import org.jspecify.annotations.Nullable;

/**
 * Records of a space that cannot be read.
 *
 * @param from the first position that cannot be read
 * @param to the next position that can be read; null if there is none up to the end of the scan
 * @param stored the bytes of the one record at {@code from}, as they are stored; null if a range of
 *     keys cannot be read, in which there may be any number of records
 * @param failure the reason
 */
public record DamagedRecords(
    Position from, @Nullable Position to, byte @Nullable [] stored, StorageException failure) {}
