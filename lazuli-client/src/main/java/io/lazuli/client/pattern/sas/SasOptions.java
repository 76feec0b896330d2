package io.lazuli.client.pattern.sas;

import com.azure.data.tables.sas.TableSasPermission;
import java.time.Duration;

/**
 * What tokens allow, for how long, and how many are kept. Immutable.
 *
 * @param permissions as letters: {@code r} read, {@code a} add, {@code u} update, {@code d} delete
 * @param lifetime how long a new token can be used
 * @param margin a token that expires sooner is not handed out any more
 * @param usersMax of so many users the tokens are kept; those asked for longest ago go first
 */
public record SasOptions(String permissions, Duration lifetime, Duration margin, int usersMax) {
  /** Reading, for an hour, of which at least ten minutes are left; 10,000 users. */
  public static final SasOptions DEFAULT =
      new SasOptions("r", Duration.ofHours(1), Duration.ofMinutes(10), 10_000);

  /** Refuses tokens that would never be handed out. */
  public SasOptions {
    TableSasPermission.parse(permissions);
    if (margin.isNegative() || margin.compareTo(lifetime) >= 0 || usersMax < 1) {
      throw new IllegalArgumentException("a token lives longer than the margin, for some user");
    }
  }

  /** These with other permissions. */
  public SasOptions withPermissions(String letters) {
    return new SasOptions(letters, lifetime, margin, usersMax);
  }

  /** These with other times. */
  public SasOptions withTimes(Duration life, Duration left) {
    return new SasOptions(permissions, life, left, usersMax);
  }

  /** These with another number of users. */
  public SasOptions withUsersMax(int users) {
    return new SasOptions(permissions, lifetime, margin, users);
  }
}
