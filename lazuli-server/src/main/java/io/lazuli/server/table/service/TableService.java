package io.lazuli.server.table.service;

import io.lazuli.server.access.Caller;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.explain.Explainer;
import io.lazuli.server.table.explain.Explanation;
import io.lazuli.server.table.explain.Look;
import io.lazuli.server.table.explain.TableSizes;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.query.QueryPlan;
import io.lazuli.server.table.query.QueryPlanner;
import io.lazuli.server.table.query.RecordPredicate;
import io.lazuli.server.table.service.TableOperation.CreateTable;
import io.lazuli.server.table.service.TableOperation.DeleteTable;
import io.lazuli.server.table.service.TableOperation.ExplainQuery;
import io.lazuli.server.table.service.TableOperation.FindEntity;
import io.lazuli.server.table.service.TableOperation.FindTable;
import io.lazuli.server.table.service.TableOperation.QueryEntities;
import io.lazuli.server.table.service.TableOperation.QueryTables;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableOutcome.EntityFound;
import io.lazuli.server.table.service.TableOutcome.EntityPage;
import io.lazuli.server.table.service.TableOutcome.Explained;
import io.lazuli.server.table.service.TableOutcome.TableCreated;
import io.lazuli.server.table.service.TableOutcome.TableDeleted;
import io.lazuli.server.table.service.TableOutcome.TableFound;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The rules of the table service, for any engine. Knows neither HTTP nor JSON nor the text of
 * OData. Called on a worker thread, on which a local engine does point reads and short ranges.
 * Longer scans begin on a separate pool. Writes, and all operations of a remote engine, complete on
 * the engine's threads.
 */
public final class TableService {
  private final StorageEngine engine;
  private final Catalog catalog;
  private final EntityQueries queries;
  private final PartitionRates rates;
  private final DeletedTables deleted;

  public TableService(
      StorageEngine engine,
      Catalog catalog,
      EntityQueries queries,
      PartitionRates rates,
      DeletedTables deleted) {
    this.engine = engine;
    this.catalog = catalog;
    this.queries = queries;
    this.rates = rates;
    this.deleted = deleted;
  }

  /**
   * Carries out an operation. Failures are in the stage; expected ones are {@link
   * ServiceException}s.
   */
  public CompletionStage<TableOutcome> execute(
      TableOperation operation, Caller caller, Deadline deadline) {
    return StorageFailures.translatingStage(
        () -> {
          TableAccess.check(operation, caller.access());
          requireNotDeleted(operation, caller);
          return dispatch(operation, caller, deadline);
        });
  }

  /**
   * Throws if the caller may not perform the action on the table, whatever the keys. {@link
   * #execute} checks again once the operation is decoded.
   *
   * @param table the key of the table in the catalogue; empty if the action has none
   */
  public void requireAllowed(TableAction action, String table, Caller caller) {
    TableAccess.require(caller.access(), action, table);
  }

  /**
   * Returns the name, as created, of a table that the caller may insert into; fails with 404 if
   * there is none.
   */
  public CompletionStage<String> requireTable(TableName table, Caller caller, Deadline deadline) {
    requireAllowed(TableAction.INSERT, table.key(), caller);
    ServiceHome home = ServiceHome.ofTables(caller.account());
    return StorageFailures.translatingStage(
        () -> requireName(home, table, deadline, TableErrors.TABLE_NOT_FOUND));
  }

  private void requireNotDeleted(TableOperation operation, Caller caller) {
    TableName table = operation.table();
    if (table != null) {
      deleted.check(ServiceHome.ofTables(caller.account()), table);
    }
  }

  private CompletionStage<TableOutcome> dispatch(
      TableOperation operation, Caller caller, Deadline deadline) {
    ServiceHome home = ServiceHome.ofTables(caller.account());
    if (operation instanceof FindEntity find) {
      return findEntity(home, find, deadline);
    } else if (operation instanceof WriteEntities write) {
      return write(home, write, deadline);
    } else if (operation instanceof QueryEntities query) {
      return queries.page(home, query, TableAccess.range(caller.access()), deadline);
    }
    return dispatchBeyondEntities(operation, home, TableAccess.range(caller.access()), deadline);
  }

  private CompletionStage<TableOutcome> dispatchBeyondEntities(
      TableOperation operation, ServiceHome home, KeyRange visible, Deadline deadline) {
    if (operation instanceof ExplainQuery explain) {
      return explain(home, explain, visible, deadline);
    } else if (operation instanceof QueryTables query) {
      return TableListing.page(catalog, home, query, deadline);
    } else if (operation instanceof FindTable find) {
      return requireName(home, find.table(), deadline, CommonErrors.RESOURCE_NOT_FOUND)
          .thenApply(TableFound::new);
    } else if (operation instanceof CreateTable create) {
      return create(home, create.table(), deadline);
    } else if (operation instanceof DeleteTable delete) {
      return delete(home, delete.table(), deadline);
    }
    throw new IllegalStateException("unknown operation: " + operation.getClass());
  }

  /** Explains a query from its keys and from sizes that are known. Reads no entity. */
  private CompletionStage<TableOutcome> explain(
      ServiceHome home, ExplainQuery explain, KeyRange visible, Deadline deadline) {
    QueryPlan plan = plan(explain.filter(), visible);
    boolean all = visible.equals(KeyRange.ALL);
    return catalog.onSpace(
        home,
        explain.table().key(),
        deadline,
        TableErrors.TABLE_NOT_FOUND,
        table ->
            engine
                .exists(table.space(), deadline)
                .thenApply(
                    there -> {
                      if (!there) {
                        throw new StorageException(
                            StorageException.Kind.SPACE_GONE, "the table was deleted");
                      }
                      return new Explained(
                          Explainer.explain(
                              new Explainer.Question(
                                  table.name(),
                                  explain.filter(),
                                  plan,
                                  explain.byAddress(),
                                  false,
                                  !all,
                                  null,
                                  false,
                                  null,
                                  all ? queries.sizes().find(table.space(), plan) : null)));
                    }));
  }

  /**
   * Explains a query that has run, with the figures of its page.
   *
   * @param millis how long the page took
   */
  public Explanation explain(QueryEntities query, EntityPage page, double millis, Caller caller) {
    KeyRange visible = TableAccess.range(caller.access());
    long bytes = page.entities().stream().mapToLong(each -> each.record().length).sum();
    Look look = Look.ofPage(page.cost().entitiesRead(), page.entities().size(), bytes);
    return Explainer.explain(
        new Explainer.Question(
            page.table(),
            query.filter(),
            plan(query.filter(), visible),
            false,
            false,
            !visible.equals(KeyRange.ALL),
            look,
            true,
            millis,
            null));
  }

  private static QueryPlan plan(Filter filter, KeyRange visible) {
    QueryPlan all = QueryPlanner.plan(filter);
    return visible.equals(KeyRange.ALL) ? all : all.within(visible);
  }

  /** Returns the sizes of tables and partitions that were read from start to end. */
  public TableSizes sizes() {
    return queries.sizes();
  }

  private CompletionStage<TableOutcome> create(
      ServiceHome home, TableName table, Deadline deadline) {
    return catalog
        .create(home, table.key(), table.text(), deadline)
        .thenApply(
            created -> {
              if (!created) {
                throw TableErrors.TABLE_ALREADY_EXISTS.exception();
              }
              return new TableCreated(table.text());
            });
  }

  private CompletionStage<TableOutcome> delete(
      ServiceHome home, TableName table, Deadline deadline) {
    return catalog
        .delete(home, table.key(), deadline)
        .thenApply(
            deleted -> {
              if (!deleted) {
                throw CommonErrors.RESOURCE_NOT_FOUND.exception();
              }
              this.deleted.deleted(home, table);
              return new TableDeleted();
            });
  }

  private CompletionStage<TableOutcome> findEntity(
      ServiceHome home, FindEntity find, Deadline deadline) {
    rates.charge(home, find.table(), find.key().partitionKey(), 1);
    return catalog.onSpace(
        home,
        find.table().key(),
        deadline,
        TableErrors.TABLE_NOT_FOUND,
        table -> readEntity(table, find, deadline));
  }

  /** Reads an entity. Fails if there is none, or if it does not match the filter. */
  private CompletableFuture<TableOutcome> readEntity(
      CatalogEntry table, FindEntity find, Deadline deadline) {
    EntityKey key = find.key();
    Bytes row = Bytes.of(Utf8.encodeKey(key.rowKey()));
    Bytes name = Bytes.of(Utf8.encodeKey(key.partitionKey()));
    return engine
        .read(new Partition(table.space(), name).row(row), deadline)
        .thenApply(
            record -> {
              if (record == null || !matches(find.filter(), name, row, record)) {
                throw CommonErrors.RESOURCE_NOT_FOUND.exception();
              }
              StoredEntity entity = new StoredEntity(name.array(), row.array(), record);
              return new EntityFound(table.name(), entity);
            });
  }

  private static boolean matches(Filter filter, Bytes partition, Bytes row, byte[] record) {
    if (filter.equals(Filter.ALL)) {
      return true;
    }
    LentRecord lent = new LentRecord();
    lent.partition().lend(partition.array(), 0, partition.length());
    lent.row().lend(row.array(), 0, row.length());
    lent.value().lend(record, 0, record.length);
    return RecordPredicate.of(filter).test(lent);
  }

  private CompletionStage<TableOutcome> write(
      ServiceHome home, WriteEntities operation, Deadline deadline) {
    PreparedTransaction prepared = PreparedTransaction.of(operation.writes());
    TableOutcome refused = prepared.refused();
    if (refused != null) {
      return CompletableFuture.completedFuture(refused);
    }
    List<EntityWrite> writes = operation.writes();
    rates.charge(home, operation.table(), writes.get(0).key().partitionKey(), writes.size());
    return catalog.onSpace(
        home,
        operation.table().key(),
        deadline,
        TableErrors.TABLE_NOT_FOUND,
        table -> prepared.commit(engine, table, deadline));
  }

  /**
   * Returns the name of a table, as created. Reads the store, because another server may have
   * deleted the table, and no use of its space would show that.
   */
  private CompletableFuture<String> requireName(
      ServiceHome home, TableName table, Deadline deadline, ServiceError missing) {
    return catalog
        .read(home, table.key(), deadline)
        .thenApply(
            row -> {
              if (row == null) {
                throw missing.exception();
              }
              return row.name();
            });
  }
}
