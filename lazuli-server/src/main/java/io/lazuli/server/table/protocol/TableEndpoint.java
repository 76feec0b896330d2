package io.lazuli.server.table.protocol;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.event.KeyUse;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestDetails;
import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.Endpoint;
import io.lazuli.server.http.Request;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.WorkerPool;
import io.lazuli.server.protocol.RequestDeadline;
import io.lazuli.server.settings.SettingsEndpoint;
import io.lazuli.server.settings.SettingsRoute;
import io.lazuli.server.settings.SettingsService;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.SystemTables;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.ResourcePath.EntityCollection;
import io.lazuli.server.table.query.FilterShape;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.TableAction;
import io.lazuli.server.table.service.TableOperation;
import io.lazuli.server.table.service.TableOperation.ExplainQuery;
import io.lazuli.server.table.service.TableOperation.FindEntity;
import io.lazuli.server.table.service.TableOperation.QueryEntities;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableOutcome;
import io.lazuli.server.table.service.TableOutcome.EntityPage;
import io.lazuli.server.table.service.TableOutcome.Explained;
import io.lazuli.server.table.service.TableService;
import io.lazuli.storage.Deadline;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * The HTTP endpoint of the table service: decodes a request into an operation, executes it and
 * encodes the outcome. {@link SettingsEndpoint} answers requests about settings.
 */
public final class TableEndpoint implements Endpoint {
  /** The permissions that a stored access policy of a table may grant. */
  public static final String POLICY_LETTERS = "raud";

  private final TableService service;
  private final TableBatch batch;
  private final SettingsEndpoint settings;
  private final WorkerPool workers;
  private final boolean lenientPaths;

  /**
   * @param workers the threads that answer requests
   * @param lenientPaths true if a path may name a partition without a row
   */
  public TableEndpoint(
      TableService service, SettingsService settings, WorkerPool workers, boolean lenientPaths) {
    this.service = service;
    this.workers = workers;
    this.lenientPaths = lenientPaths;
    this.batch = new TableBatch(service);
    this.settings =
        new SettingsEndpoint(
            settings, POLICY_LETTERS, CommonErrors.METHOD_NOT_ALLOWED, true, false);
  }

  /** Finds the operation of an addressed request; throws if the service has no such operation. */
  public static OperationType operation(Request request) {
    return request.method().equals("OPTIONS")
        ? TableRoute.TABLE_PREFLIGHT_REQUEST
        : RoutedRequest.of(request, path(request)).route();
  }

  private static ResourcePath path(Request request) {
    return ResourcePath.parse(request.address().path(), request.address().account());
  }

  @Override
  public CompletionStage<Response> handle(Request request) {
    Deadline deadline = RequestDeadline.of(request);
    ResourcePath path = path(request);
    if (!lenientPaths) {
      ResourcePath.requireNoPartition(path, request.address().account());
    }
    RoutedRequest routed = RoutedRequest.of(request, path);
    request.details().operation(routed.route());
    return routed.route().handle(this, routed, deadline);
  }

  /** Answers a request about properties, statistics or the access list of a table. */
  CompletionStage<Response> settings(RoutedRequest routed, SettingsRoute route, Deadline deadline) {
    ResourcePath path = routed.wire().path();
    String resource = path instanceof EntityCollection ? TableName.of(path.table()).key() : "";
    if (route == SettingsRoute.REPLACE_POLICIES && SystemTables.contains(resource)) {
      throw CommonErrors.AUTHORIZATION_FAILURE.exception();
    }
    if (route.isOfPolicies() && routed.request().caller().access() instanceof Access.OfRoles) {
      // The live service does not know access lists of tables for callers with a token (auth 7).
      throw CommonErrors.RESOURCE_NOT_FOUND.exception();
    }
    return settings.handle(route, routed.request(), resource, deadline);
  }

  /** Answers an entity group transaction. */
  CompletionStage<Response> batch(RoutedRequest routed, Deadline deadline) {
    Request request = routed.request();
    return batch.handle(request, request.caller(), deadline, encoding(request));
  }

  /** Answers a request for one operation that the table service executes. */
  CompletionStage<Response> execute(RoutedRequest routed, Deadline deadline) {
    Request request = routed.request();
    TableRoute route = routed.route();
    TableRequest wire = routed.wire();
    Caller caller = request.caller();
    service.requireAllowed(route.action(), wire.path().table().toLowerCase(Locale.ROOT), caller);
    TableOperation operation;
    try {
      operation = route.decode(wire);
    } catch (ServiceException e) {
      return refuse(e, route, wire, caller, deadline);
    }
    note(request.details(), operation);
    ExplainHeader explain = ExplainHeader.of(request);
    if (explain.explainsOnly() && isQuery(operation)) {
      return explainOnly(explain, operation, caller, deadline);
    }
    CompletionStage<TableOutcome> outcome = service.execute(operation, caller, deadline);
    return operation instanceof WriteEntities
        ? outcome.thenApplyAsync(done -> OutcomeEncoder.encode(routed, done), encoding(request))
        : outcome.thenApply(
            done ->
                explain == ExplainHeader.WITH
                    ? explained(request, operation, done, OutcomeEncoder.encode(routed, done))
                    : OutcomeEncoder.encode(routed, done));
  }

  private static boolean isQuery(TableOperation operation) {
    return operation instanceof QueryEntities || operation instanceof FindEntity;
  }

  /** Explains a query instead of running it. */
  private CompletionStage<Response> explainOnly(
      ExplainHeader header, TableOperation query, Caller caller, Deadline deadline) {
    ExplainQuery explain =
        query instanceof QueryEntities entities
            ? new ExplainQuery(entities.table(), entities.filter(), false)
            : ExplainHeader.ofEntity((FindEntity) query);
    return service
        .execute(explain, caller, deadline)
        .thenApply(outcome -> header.answer(((Explained) outcome).explanation()));
  }

  /** Replaces the short plan in the header of a page by the whole explanation. */
  private Response explained(
      Request request, TableOperation operation, TableOutcome outcome, Response answer) {
    if (!(operation instanceof QueryEntities query && outcome instanceof EntityPage page)) {
      return answer;
    }
    double millis = (System.nanoTime() - request.arrivedNanos()) / 1_000_000.0;
    return ExplainHeader.with(answer, service.explain(query, page, millis, request.caller()));
  }

  /**
   * Returns the threads that encode the answer to a write: the event loop, or workers if the answer
   * may be as long as a long body.
   */
  private Executor encoding(Request request) {
    return request.body().length <= AnswerBudget.SMALL_BYTES_MAX
        ? request.loop()
        : workers.orElse(request.loop());
  }

  /**
   * Refuses a request that cannot be decoded. If an insert lacks its keys, the table is checked
   * first: the live service answers 404 for a missing table (table-rest 2.2, rule 9).
   */
  private CompletionStage<Response> refuse(
      ServiceException refusal,
      TableRoute route,
      TableRequest request,
      Caller caller,
      Deadline deadline) {
    if (route != TableRoute.INSERT_ENTITY
        || !refusal.error().equals(TableErrors.PROPERTIES_NEED_VALUE)) {
      throw refusal;
    }
    return service
        .requireTable(TableName.of(request.path().table()), caller, deadline)
        .thenApply(
            found -> {
              throw refusal;
            });
  }

  /** Notes what an operation is about, for the event of its request. */
  static void note(RequestDetails details, TableOperation operation) {
    if (operation instanceof FindEntity find) {
      EntityKey key = find.key();
      String table = find.table().text();
      details.table(table).keys(KeyUse.of(table, key.partitionKey(), key.rowKey()));
    } else if (operation instanceof QueryEntities query) {
      String table = query.table().text();
      EntityKey from = query.from();
      String first =
          from == null ? FilterShape.firstPartition(query.filter()) : from.partitionKey();
      details.table(table).keys(KeyUse.ofQuery(table, first, new FilterShape(query.filter())));
    } else if (operation instanceof WriteEntities write) {
      List<EntityWrite> writes = write.writes();
      EntityKey key = writes.get(0).key();
      String table = write.table().text();
      details.table(table).partitionHash(key.partitionKey().hashCode());
      details.keys(
          new KeyUse(
              table,
              key.partitionKey(),
              writes.size() == 1 ? key.rowKey() : null,
              writes.size(),
              inserts(writes),
              0,
              null));
    } else if (operation.table() != null) {
      String table = operation.table().text();
      details.table(table).keys(KeyUse.of(table));
    }
  }

  /** Returns the number of writes that may add an entity. */
  private static int inserts(List<EntityWrite> writes) {
    int inserts = 0;
    for (EntityWrite write : writes) {
      TableAction action = write.action();
      inserts += action == TableAction.INSERT || action == TableAction.UPSERT ? 1 : 0;
    }
    return inserts;
  }
}
