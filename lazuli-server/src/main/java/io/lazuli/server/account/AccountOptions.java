package io.lazuli.server.account;

/**
 * The features that the administrator has switched on for an account. Azure has them in its
 * management interface (blob-features, account switches).
 *
 * @param blobVersioning true if replaced and deleted blobs become previous versions
 * @param blobImmutability true if versions can have immutability policies and legal holds
 * @param containerRetentionDays the days for which deleted containers can be restored; 0 for none
 */
public record AccountOptions(
    boolean blobVersioning, boolean blobImmutability, int containerRetentionDays) {
  public static final AccountOptions NONE = new AccountOptions(false, false, 0);

  /** The most days for which deleted containers can be restored. */
  public static final int RETENTION_DAYS_MAX = 365;

  public AccountOptions {
    if (containerRetentionDays < 0 || containerRetentionDays > RETENTION_DAYS_MAX) {
      throw new IllegalArgumentException(
          "the days of container retention must be from 0 to " + RETENTION_DAYS_MAX);
    }
  }

  public AccountOptions withBlobVersioning(boolean on) {
    return new AccountOptions(on, blobImmutability, containerRetentionDays);
  }

  public AccountOptions withBlobImmutability(boolean on) {
    return new AccountOptions(blobVersioning, on, containerRetentionDays);
  }

  public AccountOptions withContainerRetentionDays(int days) {
    return new AccountOptions(blobVersioning, blobImmutability, days);
  }

  /** Returns true unless an option needs another one that is off (blob-features 6). */
  public boolean isConsistent() {
    return blobVersioning || !blobImmutability;
  }
}
