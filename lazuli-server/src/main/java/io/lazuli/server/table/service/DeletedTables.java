package io.lazuli.server.table.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the names of tables that were deleted a moment ago, for users who want them to be
 * unusable for a while, as on Azure. The server does not need this: a name can be used again
 * immediately. Thread-safe.
 */
public final class DeletedTables {
  private static final int NAMES_MAX = 10_000;

  private record Name(ServiceHome home, String key) {}

  private final @Nullable Cache<Name, Boolean> names;

  /**
   * @param unusable how long a name is unusable; zero to switch this off
   */
  public DeletedTables(Duration unusable) {
    this.names =
        unusable.isZero()
            ? null
            : Caffeine.newBuilder().maximumSize(NAMES_MAX).expireAfterWrite(unusable).build();
  }

  void deleted(ServiceHome home, TableName table) {
    if (names != null) {
      names.put(new Name(home, table.key()), true);
    }
  }

  /** Throws {@code TableBeingDeleted} if the table was deleted a moment ago. */
  void check(ServiceHome home, TableName table) {
    if (names != null && names.getIfPresent(new Name(home, table.key())) != null) {
      throw TableErrors.TABLE_BEING_DELETED.exception();
    }
  }
}
