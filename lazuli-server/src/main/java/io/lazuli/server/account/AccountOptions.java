package io.lazuli.server.account;

/**
 * The features that the administrator has switched on for an account. Azure has them in its
 * management interface (blob-features, account switches).
 *
 * @param blobVersioning true if replaced and deleted blobs become previous versions
 * @param blobImmutability true if versions can have immutability policies and legal holds
 * @param containerRetentionDays the days for which deleted containers can be restored; 0 for none
 * @param noSharedKey true if requests must have a token: keys of the account, and signatures made
 *     with them, are refused
 */
public record AccountOptions(
    boolean blobVersioning,
    boolean blobImmutability,
    int containerRetentionDays,
    boolean noSharedKey) {
  public static final AccountOptions NONE = new AccountOptions(false, false, 0, false);

  /** The most days for which deleted containers can be restored. */
  public static final int RETENTION_DAYS_MAX = 365;

  public AccountOptions {
    if (containerRetentionDays < 0 || containerRetentionDays > RETENTION_DAYS_MAX) {
      throw new IllegalArgumentException(
          "the days of container retention must be from 0 to " + RETENTION_DAYS_MAX);
    }
  }

  public AccountOptions withBlobVersioning(boolean on) {
    return new AccountOptions(on, blobImmutability, containerRetentionDays, noSharedKey);
  }

  public AccountOptions withBlobImmutability(boolean on) {
    return new AccountOptions(blobVersioning, on, containerRetentionDays, noSharedKey);
  }

  public AccountOptions withContainerRetentionDays(int days) {
    return new AccountOptions(blobVersioning, blobImmutability, days, noSharedKey);
  }

  public AccountOptions withNoSharedKey(boolean on) {
    return new AccountOptions(blobVersioning, blobImmutability, containerRetentionDays, on);
  }

  /** Returns true unless an option needs another one that is off (blob-features 6). */
  public boolean isConsistent() {
    return blobVersioning || !blobImmutability;
  }
}
