package io.lazuli.server.job.kind;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.job.JobErrors;
import io.lazuli.server.job.JobRun;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.explain.TableSizes;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.FilterCheck;
import io.lazuli.server.table.protocol.ODataFilterParser;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.StoredEntity;
import io.lazuli.server.table.service.TableBrowser;
import io.lazuli.server.table.service.TableBrowser.Page;
import io.lazuli.server.table.service.TableBrowser.PageRequest;
import io.lazuli.server.table.service.TableBrowser.Tally;
import io.lazuli.server.table.service.TableOperation.CreateTable;
import io.lazuli.server.table.service.TableOperation.FindEntity;
import io.lazuli.server.table.service.TableOperation.FindTable;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableOutcome;
import io.lazuli.server.table.service.TableOutcome.EntityFound;
import io.lazuli.server.table.service.TableService;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Position;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tables as jobs use them: in short steps, each of which waits for its result. */
public final class Tables {
  private static final int FILTER_CHARS_MAX = 8 << 10;
  private static final int PAGE_ROWS = 500;
  private static final long PAGE_BYTES = 1 << 20;
  private static final Duration PAGE_TIME = Duration.ofMillis(100);
  private static final Duration TIME_MAX = Duration.ofSeconds(30);

  private final TableService service;
  private final TableBrowser browser;

  public Tables(TableService service, TableBrowser browser) {
    this.service = service;
    this.browser = browser;
  }

  /** Checks the table and the filter of an order. */
  void check(String account, Map<String, String> parameters) {
    requireTable(account, name(parameters, "table"));
    Pace.check(parameters);
    String filter = parameters.getOrDefault("filter", "");
    if (filter.length() > FILTER_CHARS_MAX) {
      throw JobErrors.badOrder("The filter is longer than 8,192 characters.");
    }
    FilterCheck check = ODataFilterParser.check(filter);
    if (!check.isComplete() || check.filter() == null) {
      FilterCheck.Problem problem = check.problem();
      throw JobErrors.badOrder(problem == null ? "The filter cannot be read." : problem.text());
    }
  }

  static TableName name(Map<String, String> parameters, String parameter) {
    String text = parameters.get(parameter);
    if (text == null || text.isEmpty()) {
      throw JobErrors.badOrder("The order names no " + parameter + ".");
    }
    return TableName.of(text);
  }

  /** Refuses tables that only the server writes to. */
  static void requireOwn(TableName table) {
    if (table.isSystem()) {
      throw JobErrors.badOrder("Only the server writes to this table.");
    }
  }

  void requireTable(String account, TableName table) {
    TableOutcome unused =
        Futures.await(service.execute(new FindTable(table), caller(account), deadline()));
  }

  static TableName table(JobRun run) {
    return TableName.of(run.require("table"));
  }

  static Filter filter(JobRun run) {
    return Objects.requireNonNull(
        ODataFilterParser.check(run.parameter("filter", "")).filter(), "filter");
  }

  private static Caller caller(String account) {
    return new Caller(account, false, new Access.Full());
  }

  private static Deadline deadline() {
    return Deadline.after(TIME_MAX);
  }

  Page page(JobRun run, @Nullable Position from, Pace pace) {
    return Futures.await(
        browser.page(
            run.account(),
            table(run),
            new PageRequest(filter(run), null, from, pace.rows(PAGE_ROWS), PAGE_BYTES, PAGE_TIME),
            deadline()));
  }

  Tally tally(JobRun run, @Nullable Position from, @Nullable Bytes last) {
    return Futures.await(
        browser.tally(run.account(), table(run), filter(run), from, last, PAGE_TIME, deadline()));
  }

  void noteCount(JobRun run, long entities, long bytes) {
    boolean unused =
        Futures.await(
            browser.noteCount(run.account(), table(run), filter(run), entities, bytes, deadline()));
  }

  /** Returns about how many entities a job will read; -1 if nobody knows. */
  long estimate(JobRun run) {
    if (!filter(run).equals(Filter.ALL)) {
      return -1;
    }
    TableSizes.Size size = Futures.await(browser.knownSize(run.account(), table(run), deadline()));
    return size == null ? -1 : size.entities();
  }

  /** Reads an entity again; null if it is gone or does not match any more. */
  @Nullable StoredEntity again(JobRun run, EntityKey key) {
    try {
      return ((EntityFound)
              Futures.await(
                  service.execute(
                      new FindEntity(table(run), key, filter(run)),
                      caller(run.account()),
                      deadline())))
          .entity();
    } catch (ServiceException e) {
      if (e.error().equals(CommonErrors.RESOURCE_NOT_FOUND)) {
        return null;
      }
      throw e;
    }
  }

  TableOutcome write(String account, TableName table, List<EntityWrite> writes) {
    return Futures.await(
        service.execute(new WriteEntities(table, writes), caller(account), deadline()));
  }

  /** Creates a table unless it is there. */
  void create(String account, TableName table) {
    try {
      TableOutcome unused =
          Futures.await(service.execute(new CreateTable(table), caller(account), deadline()));
    } catch (ServiceException e) {
      if (!e.error().equals(TableErrors.TABLE_ALREADY_EXISTS)) {
        throw e;
      }
    }
  }

  static EntityKey key(StoredEntity entity) {
    return new EntityKey(text(entity.partition()), text(entity.row()));
  }

  static String text(byte[] key) {
    return Utf8.decode(key, 0, key.length);
  }
}
