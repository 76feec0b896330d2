package io.lazuli.server.account;

/**
 * The features that the administrator has switched on for an account. Azure has them in its
 * management interface (blob-features, account switches).
 *
 * @param blobVersioning true if replaced and deleted blobs become previous versions
 * @param blobImmutability true if versions can have immutability policies and legal holds
 */
public record AccountOptions(boolean blobVersioning, boolean blobImmutability) {
  public static final AccountOptions NONE = new AccountOptions(false, false);

  public AccountOptions withBlobVersioning(boolean on) {
    return new AccountOptions(on, blobImmutability);
  }

  public AccountOptions withBlobImmutability(boolean on) {
    return new AccountOptions(blobVersioning, on);
  }

  /** Returns true unless an option needs another one that is off (blob-features 6). */
  public boolean isConsistent() {
    return blobVersioning || !blobImmutability;
  }
}
