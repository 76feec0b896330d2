package io.lazuli.server.account;

/**
 * Who sent a request, once that was proved.
 *
 * @param account the account whose key signed it
 * @param readOnly true on the secondary address, where writes are refused
 */
public record Caller(String account, boolean readOnly) {}
