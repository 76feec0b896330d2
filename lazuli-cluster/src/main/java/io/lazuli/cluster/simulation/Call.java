package io.lazuli.cluster.simulation;

/**
 * A remote call to a region server.
 *
 * @param work the processor time of the region server
 * @param hot the part of the work that is for the most used partition
 * @param own the part of the work that is for homes of accounts and for look-ups of regions
 * @param isWrite whether the log is synced before the answer
 * @param answered what the sender does then
 * @param failed what the sender does if the region server has died or refuses the call
 */
record Call(long work, long hot, long own, boolean isWrite, Runnable answered, Runnable failed) {}
