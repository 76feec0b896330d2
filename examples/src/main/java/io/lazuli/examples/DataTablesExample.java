package io.lazuli.examples;

import com.azure.core.http.rest.PagedIterable;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.util.Context;
import com.azure.core.util.IterableStream;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The employees of the table design guide, with {@code com.azure:azure-data-tables}. A department
 * is a partition; it contains its employees and an entity about itself. Takes a connection string,
 * and deletes its table at the end.
 */
public final class DataTablesExample {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** A prefix of RowKey as a range; the backquote is the next character after the underscore. */
  private static final String EMPLOYEES_OF_SALES =
      "PartitionKey eq 'Sales' and RowKey ge 'empid_' and RowKey lt 'empid`'";

  private final TableClient table;

  private DataTablesExample(TableClient table) {
    this.table = table;
  }

  public static void main(String[] args) {
    String connectionString = args.length == 0 ? "UseDevelopmentStorage=true" : args[0];
    TableServiceClient service =
        new TableServiceClientBuilder().connectionString(connectionString).buildClient();
    TableClient table = service.createTableIfNotExists("Employees");
    DataTablesExample example = new DataTablesExample(table);
    example.insert();
    example.pointQuery();
    example.rangeQuery();
    example.partitionScan();
    example.transaction();
    example.optimisticConcurrency();
    example.nextPage(example.firstPage());
    table.deleteTable();
  }

  private void insert() {
    table.createEntity(department(3));
    table.createEntity(employee("empid_000101", "Ken", "Kwok", 23));
    table.createEntity(employee("empid_000102", "Jun", "Cao", 47));
    table.createEntity(employee("empid_000103", "Don", "Hall", 34));
    System.out.println("inserted: 3 employees and their department");
  }

  /** Both keys are known: the cheapest query. */
  private void pointQuery() {
    System.out.println("point query: " + name(table.getEntity("Sales", "empid_000102")));
  }

  /** The rows are adjacent: the cost depends only on the size of the result. */
  private void rangeQuery() {
    System.out.println("range query: " + names(query(EMPLOYEES_OF_SALES, 1000)));
  }

  /** Other properties are not indexed: the service reads every entity of the partition. */
  private void partitionScan() {
    String filter = "PartitionKey eq 'Sales' and Age ge 30";
    System.out.println("partition scan: " + names(query(filter, 1000)));
  }

  /** Entities of one partition change together or not at all. */
  private void transaction() {
    TableEntity mary = employee("empid_000104", "Mary", "Smith", 29);
    table.submitTransaction(
        List.of(
            new TableTransactionAction(TableTransactionActionType.CREATE, mary),
            new TableTransactionAction(TableTransactionActionType.UPDATE_MERGE, department(4))));
    Object count = table.getEntity("Sales", "Department").getProperty("EmployeeCount");
    System.out.println("transaction: " + count + " employees");
  }

  /** A write is rejected if somebody else has written the entity since it was read. */
  private void optimisticConcurrency() {
    TableEntity mine = table.getEntity("Sales", "Department");
    TableEntity theirs = table.getEntity("Sales", "Department");
    replaceIfUnchanged(theirs.addProperty("Floor", 2));
    try {
      replaceIfUnchanged(mine.addProperty("Floor", 3));
    } catch (TableServiceException e) {
      System.out.println("stale ETag: " + e.getResponse().getStatusCode());
    }
  }

  private void replaceIfUnchanged(TableEntity entity) {
    table.updateEntityWithResponse(
        entity, TableEntityUpdateMode.REPLACE, true, TIMEOUT, Context.NONE);
  }

  /** Returns the position of the next page: text that can be stored for any length of time. */
  private String firstPage() {
    PagedResponse<TableEntity> page =
        query(EMPLOYEES_OF_SALES, 2).iterableByPage().iterator().next();
    System.out.println("first page: " + names(page.getElements()));
    return page.getContinuationToken();
  }

  private void nextPage(String token) {
    PagedResponse<TableEntity> page =
        query(EMPLOYEES_OF_SALES, 2).iterableByPage(token).iterator().next();
    System.out.println("next page: " + names(page.getElements()));
  }

  private PagedIterable<TableEntity> query(String filter, int pageSize) {
    ListEntitiesOptions options = new ListEntitiesOptions().setFilter(filter).setTop(pageSize);
    return table.listEntities(options, TIMEOUT, Context.NONE);
  }

  private static TableEntity department(int employeeCount) {
    return new TableEntity("Sales", "Department").addProperty("EmployeeCount", employeeCount);
  }

  private static TableEntity employee(String id, String firstName, String lastName, int age) {
    return new TableEntity("Sales", id)
        .addProperty("FirstName", firstName)
        .addProperty("LastName", lastName)
        .addProperty("Age", age);
  }

  private static String name(TableEntity employee) {
    return employee.getProperty("FirstName") + " " + employee.getProperty("LastName");
  }

  private static String names(IterableStream<TableEntity> employees) {
    return employees.stream().map(DataTablesExample::name).collect(Collectors.joining(", "));
  }
}
