package io.lazuli.examples;

import com.microsoft.azure.storage.CloudStorageAccount;
import com.microsoft.azure.storage.ResultContinuation;
import com.microsoft.azure.storage.ResultSegment;
import com.microsoft.azure.storage.StorageException;
import com.microsoft.azure.storage.table.CloudTable;
import com.microsoft.azure.storage.table.DynamicTableEntity;
import com.microsoft.azure.storage.table.EntityProperty;
import com.microsoft.azure.storage.table.TableBatchOperation;
import com.microsoft.azure.storage.table.TableOperation;
import com.microsoft.azure.storage.table.TableQuery;
import java.net.URISyntaxException;
import java.security.InvalidKeyException;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The same as {@link DataTablesExample}, with the previous SDK, {@code
 * com.microsoft.azure:azure-storage}. Takes a connection string, and deletes its table at the end.
 */
public final class LegacyStorageExample {
  /** A prefix of RowKey as a range; the backquote is the next character after the underscore. */
  private static final String EMPLOYEES_OF_SALES =
      "PartitionKey eq 'Sales' and RowKey ge 'empid_' and RowKey lt 'empid`'";

  private final CloudTable table;

  private LegacyStorageExample(CloudTable table) {
    this.table = table;
  }

  public static void main(String[] args)
      throws StorageException, URISyntaxException, InvalidKeyException {
    String connectionString = args.length == 0 ? "UseDevelopmentStorage=true" : args[0];
    CloudStorageAccount account = CloudStorageAccount.parse(connectionString);
    CloudTable table = account.createCloudTableClient().getTableReference("Employees");
    table.createIfNotExists();
    LegacyStorageExample example = new LegacyStorageExample(table);
    example.insert();
    example.pointQuery();
    example.rangeQuery();
    example.partitionScan();
    example.transaction();
    example.optimisticConcurrency();
    example.nextPage(example.firstPage());
    table.delete();
  }

  private void insert() throws StorageException {
    table.execute(TableOperation.insert(department(3)));
    table.execute(TableOperation.insert(employee("empid_000101", "Ken", "Kwok", 23)));
    table.execute(TableOperation.insert(employee("empid_000102", "Jun", "Cao", 47)));
    table.execute(TableOperation.insert(employee("empid_000103", "Don", "Hall", 34)));
    System.out.println("inserted: 3 employees and their department");
  }

  /** Both keys are known: the cheapest query. */
  private void pointQuery() throws StorageException {
    System.out.println("point query: " + name(retrieve("empid_000102")));
  }

  /** The rows are adjacent: the cost depends only on the size of the result. */
  private void rangeQuery() {
    System.out.println("range query: " + names(table.execute(query(EMPLOYEES_OF_SALES))));
  }

  /** Other properties are not indexed: the service reads every entity of the partition. */
  private void partitionScan() {
    String filter = "PartitionKey eq 'Sales' and Age ge 30";
    System.out.println("partition scan: " + names(table.execute(query(filter))));
  }

  /** Entities of one partition change together or not at all. */
  private void transaction() throws StorageException {
    TableBatchOperation together = new TableBatchOperation();
    together.insert(employee("empid_000104", "Mary", "Smith", 29));
    together.insertOrMerge(department(4));
    table.execute(together);
    int count = property(retrieve("Department"), "EmployeeCount").getValueAsInteger();
    System.out.println("transaction: " + count + " employees");
  }

  /** A write is rejected if somebody else has written the entity since it was read. */
  private void optimisticConcurrency() throws StorageException {
    DynamicTableEntity mine = retrieve("Department");
    DynamicTableEntity theirs = retrieve("Department");
    theirs.getProperties().put("Floor", new EntityProperty(2));
    table.execute(TableOperation.replace(theirs));
    mine.getProperties().put("Floor", new EntityProperty(3));
    try {
      table.execute(TableOperation.replace(mine));
    } catch (StorageException e) {
      System.out.println("stale ETag: " + e.getHttpStatusCode());
    }
  }

  /** Returns the position of the next page: two keys that can be stored for any length of time. */
  private ResultContinuation firstPage() throws StorageException {
    ResultSegment<DynamicTableEntity> page =
        table.executeSegmented(query(EMPLOYEES_OF_SALES).take(2), null);
    System.out.println("first page: " + names(page.getResults()));
    return page.getContinuationToken();
  }

  private void nextPage(ResultContinuation token) throws StorageException {
    ResultSegment<DynamicTableEntity> page =
        table.executeSegmented(query(EMPLOYEES_OF_SALES).take(2), token);
    System.out.println("next page: " + names(page.getResults()));
  }

  private static TableQuery<DynamicTableEntity> query(String filter) {
    return TableQuery.from(DynamicTableEntity.class).where(filter);
  }

  private DynamicTableEntity retrieve(String rowKey) throws StorageException {
    return table
        .execute(TableOperation.retrieve("Sales", rowKey, DynamicTableEntity.class))
        .getResultAsType();
  }

  private static DynamicTableEntity department(int employeeCount) {
    DynamicTableEntity entity = new DynamicTableEntity("Sales", "Department");
    entity.getProperties().put("EmployeeCount", new EntityProperty(employeeCount));
    return entity;
  }

  private static DynamicTableEntity employee(
      String id, String firstName, String lastName, int age) {
    DynamicTableEntity entity = new DynamicTableEntity("Sales", id);
    entity.getProperties().put("FirstName", new EntityProperty(firstName));
    entity.getProperties().put("LastName", new EntityProperty(lastName));
    entity.getProperties().put("Age", new EntityProperty(age));
    return entity;
  }

  private static EntityProperty property(DynamicTableEntity entity, String name) {
    return Objects.requireNonNull(entity.getProperties().get(name), name);
  }

  private static String name(DynamicTableEntity employee) {
    return property(employee, "FirstName").getValueAsString()
        + " "
        + property(employee, "LastName").getValueAsString();
  }

  private static String names(Iterable<DynamicTableEntity> employees) {
    return StreamSupport.stream(employees.spliterator(), false)
        .map(LegacyStorageExample::name)
        .collect(Collectors.joining(", "));
  }
}
