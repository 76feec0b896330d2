package io.lazuli.server.config;

/**
 * The rate targets of a server; 0 for no limit.
 *
 * @param account requests per second of each account
 * @param partition entities per second of each partition, messages per second of each queue
 */
public record RatesConfig(int account, int partition) {}
