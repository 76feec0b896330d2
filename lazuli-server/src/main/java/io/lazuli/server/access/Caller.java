package io.lazuli.server.access;

/**
 * Who sent a request, once that was proved.
 *
 * @param account the account whose key signed it
 * @param readOnly true on the secondary address, where writes are refused
 * @param access what the signature allows
 */
public record Caller(String account, boolean readOnly, Access access) {
  /** A caller that holds a key of the account. */
  public Caller(String account, boolean readOnly) {
    this(account, readOnly, new Access.Full());
  }
}
