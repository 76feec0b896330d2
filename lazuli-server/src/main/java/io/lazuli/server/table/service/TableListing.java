package io.lazuli.server.table.service;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.table.model.SystemTables;
import io.lazuli.server.table.query.TableNamePredicate;
import io.lazuli.server.table.service.TableOperation.QueryTables;
import io.lazuli.server.table.service.TableOutcome.TablePage;
import io.lazuli.storage.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * Lists the tables of an account, one page at a time, in the order of their lower-case names. The
 * tables of the server are not listed (logs-and-metrics 6).
 */
final class TableListing {
  private TableListing() {}

  static CompletableFuture<TableOutcome> page(
      Catalog catalog, ServiceHome home, QueryTables query, Deadline deadline) {
    if (query.top() == 0) {
      return CompletableFuture.completedFuture(new TablePage(List.of(), null));
    }
    List<String> names = new ArrayList<>();
    String[] next = new String[1];
    return catalog
        .list(
            home,
            query.fromKey(),
            deadline,
            entry -> {
              if (SystemTables.contains(entry.name())
                  || !TableNamePredicate.test(query.filter(), entry.name())) {
                return true;
              }
              if (names.size() == query.top()) {
                next[0] = entry.name().toLowerCase(Locale.ROOT);
                return false;
              }
              return names.add(entry.name());
            })
        .thenApply(listed -> new TablePage(names, next[0]));
  }
}
