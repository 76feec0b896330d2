package io.lazuli.client.pattern.sas;

import com.azure.data.tables.sas.TableSasPermission;
import java.time.Duration;

/**
 * The permissions and lifetime of tokens, and the number of tokens to keep. Immutable.
 *
 * @param permissions as letters: {@code r} read, {@code a} add, {@code u} update, {@code d} delete
 * @param lifetime how long a new token is valid
 * @param margin a token that expires sooner than this is no longer handed out
 * @param usersMax the number of users whose tokens are kept; the least recently used are dropped
 */
public record SasOptions(String permissions, Duration lifetime, Duration margin, int usersMax) {
  /** Read permission, a lifetime of an hour, a margin of ten minutes, and 10,000 users. */
  public static final SasOptions DEFAULT =
      new SasOptions("r", Duration.ofHours(1), Duration.ofMinutes(10), 10_000);

  /** Rejects options under which no token could be handed out. */
  public SasOptions {
    TableSasPermission.parse(permissions);
    if (margin.isNegative() || margin.compareTo(lifetime) >= 0 || usersMax < 1) {
      throw new IllegalArgumentException(
          "the lifetime must exceed the margin, and usersMax must be at least 1");
    }
  }

  /** Returns these options with other permissions. */
  public SasOptions withPermissions(String letters) {
    return new SasOptions(letters, lifetime, margin, usersMax);
  }

  /** Returns these options with other times. */
  public SasOptions withTimes(Duration life, Duration left) {
    return new SasOptions(permissions, life, left, usersMax);
  }

  /** Returns these options with another number of users. */
  public SasOptions withUsersMax(int users) {
    return new SasOptions(permissions, lifetime, margin, users);
  }
}
