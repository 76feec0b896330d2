package io.lazuli.storage;

/**
 * What a step of {@link StorageEngine#splitRanges} has left.
 *
 * @param boundaries the partitions that begin a range now
 * @param waiting the partitions that do not begin a range yet, and the ranges that have to move
 * @param nodes the machines that have these ranges
 * @param problem why the last operation failed, in one line; empty if none did
 */
public record RangeSplit(int boundaries, int waiting, int nodes, String problem) {}
