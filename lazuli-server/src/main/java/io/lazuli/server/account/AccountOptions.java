package io.lazuli.server.account;

/**
 * The features that the administrator has switched on for an account. Azure has them in its
 * management interface (blob-features, account switches).
 *
 * @param blobVersioning true if replaced and deleted blobs become previous versions
 */
public record AccountOptions(boolean blobVersioning) {
  public static final AccountOptions NONE = new AccountOptions(false);

  public AccountOptions withBlobVersioning(boolean on) {
    return new AccountOptions(on);
  }
}
