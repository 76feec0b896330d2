package io.lazuli.server.catalog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.SpaceNames;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the names of spaces by reading through the catalogue, which is ordered by name and not by
 * space. A search ends after some seconds or many names; what it has not found keeps its number,
 * and is not looked for again for a minute. Thread-safe. Blocks.
 */
public final class CatalogNames implements SpaceNames {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogNames.class);
  private static final int CACHED_NAMES_MAX = 10_000;

  /** A name that was deleted, or that its space has lost, is shown for at most this long. */
  private static final Duration CACHED_MAX = Duration.ofMinutes(10);

  private static final Duration UNKNOWN_MAX = Duration.ofMinutes(1);
  private static final Duration SEARCH_TIME_MAX = Duration.ofSeconds(3);
  private static final int SEARCHED_NAMES_MAX = 200_000;

  private final Catalog catalog;
  private final int searchedNamesMax;
  private final Cache<Long, String> names =
      Caffeine.newBuilder().maximumSize(CACHED_NAMES_MAX).expireAfterWrite(CACHED_MAX).build();

  /** Spaces whose names were not found. */
  private final Cache<Long, Boolean> unknown =
      Caffeine.newBuilder().maximumSize(CACHED_NAMES_MAX).expireAfterWrite(UNKNOWN_MAX).build();

  public CatalogNames(Catalog catalog) {
    this(catalog, SEARCHED_NAMES_MAX);
  }

  CatalogNames(Catalog catalog, int searchedNamesMax) {
    this.catalog = catalog;
    this.searchedNamesMax = searchedNamesMax;
  }

  @Override
  public Map<Long, String> of(Set<Long> spaces) {
    Map<Long, String> found = new HashMap<>(names.getAllPresent(spaces));
    Set<Long> missing = new HashSet<>(spaces);
    missing.removeAll(found.keySet());
    missing.removeAll(unknown.getAllPresent(missing).keySet());
    if (!missing.isEmpty()) {
      try {
        new Search(missing, found).run();
      } catch (RuntimeException e) {
        // A line of the log or a list for operators is better with a number than not at all.
        LOG.info("names of spaces are missing: {}", e.getMessage());
      }
      missing.forEach(space -> unknown.put(space, true));
    }
    return found;
  }

  /** One pass over the catalogue. */
  private final class Search {
    private final Set<Long> missing;
    private final Map<Long, String> found;
    private final Deadline deadline = Deadline.after(SEARCH_TIME_MAX);
    private int left = searchedNamesMax;

    Search(Set<Long> missing, Map<Long, String> found) {
      this.missing = missing;
      this.found = found;
    }

    void run() {
      EnumSet<SpaceKind> kinds = EnumSet.noneOf(SpaceKind.class);
      missing.forEach(space -> kinds.add(SpaceKind.of(space)));
      // Other kinds have no names.
      kinds.retainAll(EnumSet.of(SpaceKind.TABLE, SpaceKind.QUEUE, SpaceKind.CONTAINER));
      for (SpaceKind kind : kinds) {
        for (ServiceHome home : Futures.await(catalog.homes(kind, deadline))) {
          Futures.await(catalog.list(home, "", deadline, row -> note(home, row)));
          if (missing.isEmpty() || left <= 0) {
            return;
          }
        }
      }
    }

    /** Notes every name, because the next one that is wanted may be among them. */
    private boolean note(ServiceHome home, CatalogRow row) {
      String name = home.account() + "/" + row.name();
      names.put(row.space(), name);
      if (missing.remove(row.space())) {
        found.put(row.space(), name);
      }
      return --left > 0 && !missing.isEmpty();
    }
  }
}
