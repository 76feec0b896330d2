package io.lazuli.server.console.model;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.design.AccessPlan;
import io.lazuli.server.design.ModelErrors;
import io.lazuli.server.design.trial.Trial;
import io.lazuli.server.design.trial.Trial.Question;
import io.lazuli.server.design.trial.Trial.Row;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.ODataFilterParser;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.TableBrowser;
import io.lazuli.server.table.service.TableBrowser.PageRequest;
import io.lazuli.server.table.service.TableOperation.CreateTable;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableService;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Tries a proposal: creates its tables, stores samples, and runs its accesses through the server's
 * own planner. The number of rows is bounded by the model.
 */
public final class ModelTrial {
  private static final int BATCH = 100;
  private static final int PAGE = 1_000;
  private static final long PAGE_BYTES = 1 << 20;
  private static final Duration PAGE_TIME = Duration.ofSeconds(1);

  private final TableService service;
  private final TableBrowser browser;

  public ModelTrial(TableService service, TableBrowser browser) {
    this.service = service;
    this.browser = browser;
  }

  /**
   * What an access did.
   *
   * @param kind the kind that the server's planner chose
   */
  public record Tried(
      AccessPlan plan, String table, String filter, String kind, long read, int returned) {
    /** Returns whether the kind is the one that was proposed. */
    public boolean isAsPromised() {
      AccessPlan.Kind promised = plan.kind();
      return promised != null && promised.text().equals(kind);
    }
  }

  /**
   * Creates the tables that are not known, and stores the samples.
   *
   * @param known the tables that an earlier trial of this model has made
   * @throws io.lazuli.server.error.ServiceException if another table has one of the names
   */
  public CompletionStage<Integer> load(
      String account, Trial trial, Set<String> known, Deadline deadline) {
    Caller caller = new Caller(account, false, new Access.Full());
    List<Row> rows = trial.rows();
    if (rows.isEmpty()) {
      throw ModelErrors.NOTHING_TO_TRY.exception();
    }
    CompletionStage<?> done = CompletableFuture.completedFuture(true);
    for (String table : trial.tables()) {
      if (!known.contains(table)) {
        done =
            done.thenCompose(
                before ->
                    service.execute(new CreateTable(TableName.require(table)), caller, deadline));
      }
    }
    for (WriteEntities batch : batches(rows)) {
      done = done.thenCompose(before -> service.execute(batch, caller, deadline));
    }
    return done.thenApply(all -> rows.size());
  }

  private static List<WriteEntities> batches(List<Row> rows) {
    Map<List<String>, Map<String, EntityWrite>> partitions = new LinkedHashMap<>();
    for (Row row : rows) {
      partitions
          .computeIfAbsent(List.of(row.table(), row.partition()), key -> new LinkedHashMap<>())
          .put(
              row.row(),
              new EntityWrite.Replace(
                  new EntityKey(row.partition(), row.row()),
                  row.values().entrySet().stream()
                      .map(each -> new Property(each.getKey(), value(each.getValue())))
                      .toList(),
                  IfMatch.NONE));
    }
    List<WriteEntities> batches = new ArrayList<>();
    partitions.forEach(
        (place, writes) -> {
          List<EntityWrite> all = List.copyOf(writes.values());
          for (int i = 0; i < all.size(); i += BATCH) {
            batches.add(
                new WriteEntities(
                    TableName.of(place.get(0)), all.subList(i, Math.min(all.size(), i + BATCH))));
          }
        });
    return batches;
  }

  private static EdmValue value(Object value) {
    if (value instanceof Integer number) {
      return new EdmValue.Int32Value(number);
    }
    if (value instanceof Long number) {
      return new EdmValue.Int64Value(number);
    }
    if (value instanceof Double number) {
      return new EdmValue.DoubleValue(number);
    }
    if (value instanceof Boolean flag) {
      return new EdmValue.BooleanValue(flag);
    }
    if (value instanceof Instant time) {
      return new EdmValue.DateTimeValue(Ticks.of(time));
    }
    if (value instanceof UUID id) {
      return new EdmValue.GuidValue(id);
    }
    return value instanceof byte[] bytes
        ? new EdmValue.BinaryValue(bytes)
        : new EdmValue.StringValue(value.toString());
  }

  /** Runs the reading accesses, one after the other. */
  public CompletionStage<List<Tried>> run(String account, Trial trial, Deadline deadline) {
    List<Tried> tried = new ArrayList<>();
    CompletionStage<List<Tried>> done = CompletableFuture.completedFuture(tried);
    for (Question question : trial.questions()) {
      done =
          done.thenCompose(
              before ->
                  run(account, question, deadline)
                      .thenApply(
                          one -> {
                            tried.add(one);
                            return tried;
                          }));
    }
    return done;
  }

  private CompletionStage<Tried> run(String account, Question question, Deadline deadline) {
    Filter filter = ODataFilterParser.parse(question.filter());
    int rows = question.top() > 0 ? Math.min(PAGE, question.top()) : PAGE;
    return browser
        .page(
            account,
            TableName.of(question.table()),
            new PageRequest(filter, null, null, rows, PAGE_BYTES, PAGE_TIME),
            deadline)
        .thenApply(
            page ->
                new Tried(
                    question.plan(),
                    question.table(),
                    question.filter(),
                    page.plan().kind().text(),
                    page.look().readCount(),
                    page.entities().size()));
  }
}
