package io.lazuli.storage.hbase.balance;

/**
 * A region server.
 *
 * @param regions the number of all its regions, also those of other stores
 * @param answers false if it does not answer; its regions and its load are unknown then, and it is
 *     neither the source nor the target of a move
 */
public record Node(String name, int regions, boolean answers) {}
