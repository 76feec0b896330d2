package io.lazuli.server.access;

/**
 * The authenticated sender of a request.
 *
 * @param account the account whose key signed the request
 * @param readOnly true on the secondary address, where writes are refused
 * @param access what the caller may do
 */
public record Caller(String account, boolean readOnly, Access access) {
  /** Creates a caller with a key of the account. */
  public Caller(String account, boolean readOnly) {
    this(account, readOnly, new Access.Full());
  }
}
