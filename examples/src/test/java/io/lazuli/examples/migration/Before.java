package io.lazuli.examples.migration;

import com.microsoft.azure.storage.CloudStorageAccount;
import com.microsoft.azure.storage.ResultContinuation;
import com.microsoft.azure.storage.ResultSegment;
import com.microsoft.azure.storage.RetryExponentialRetry;
import com.microsoft.azure.storage.StorageException;
import com.microsoft.azure.storage.table.CloudTable;
import com.microsoft.azure.storage.table.DynamicTableEntity;
import com.microsoft.azure.storage.table.EntityProperty;
import com.microsoft.azure.storage.table.EntityResolver;
import com.microsoft.azure.storage.table.Ignore;
import com.microsoft.azure.storage.table.StoreAs;
import com.microsoft.azure.storage.table.TableBatchOperation;
import com.microsoft.azure.storage.table.TableOperation;
import com.microsoft.azure.storage.table.TableQuery;
import com.microsoft.azure.storage.table.TableQuery.Operators;
import com.microsoft.azure.storage.table.TableQuery.QueryComparisons;
import com.microsoft.azure.storage.table.TableRequestOptions;
import com.microsoft.azure.storage.table.TableServiceEntity;
import java.net.URISyntaxException;
import java.security.InvalidKeyException;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The code of {@code docs/migration.md} with the legacy client: the left side. */
final class Before {
  private Before() {}

  public static class Employee extends TableServiceEntity {
    private String lastName = "";
    private int age;
    private String email = "";
    private @Nullable Date hired;

    public Employee() {}

    public Employee(String department, String id) {
      super(department, id);
    }

    public String getLastName() {
      return lastName;
    }

    public void setLastName(String lastName) {
      this.lastName = lastName;
    }

    public int getAge() {
      return age;
    }

    public void setAge(int age) {
      this.age = age;
    }

    @StoreAs(name = "mail")
    public String getEmail() {
      return email;
    }

    @StoreAs(name = "mail")
    public void setEmail(String email) {
      this.email = email;
    }

    public @Nullable Date getHired() {
      return hired;
    }

    public void setHired(@Nullable Date hired) {
      this.hired = hired;
    }

    @Ignore
    public boolean getSenior() {
      return age >= 50;
    }

    @Ignore
    public void setSenior(boolean ignored) {}

    public boolean isAdult() {
      return age >= 18;
    }

    public void setAdult(boolean ignored) {}
  }

  static Employee employee(String id, String lastName) {
    Employee employee = new Employee("Sales", id);
    employee.setLastName(lastName);
    employee.setAge(30);
    employee.setEmail(lastName + "@contoso.com");
    return employee;
  }

  static CloudTable connect(String connection)
      throws URISyntaxException, InvalidKeyException, StorageException {
    CloudStorageAccount account = CloudStorageAccount.parse(connection);
    CloudTable table = account.createCloudTableClient().getTableReference("Employees");
    table.createIfNotExists();
    return table;
  }

  static void writes(CloudTable table, Employee jones) throws StorageException {
    table.execute(TableOperation.insert(jones));
    table.execute(TableOperation.insertOrReplace(jones));
    table.execute(TableOperation.insertOrMerge(jones));
    table.execute(TableOperation.replace(jones));
    table.execute(TableOperation.merge(jones));
    jones.setEtag("*");
    table.execute(TableOperation.replace(jones));
  }

  static void delete(CloudTable table, Employee jones) throws StorageException {
    table.execute(TableOperation.delete(jones));
  }

  static @Nullable Employee find(CloudTable table) throws StorageException {
    TableOperation retrieve = TableOperation.retrieve("Sales", "000123", Employee.class);
    Employee found = table.execute(retrieve).getResultAsType();
    return found;
  }

  static void birthday(CloudTable table) throws StorageException {
    TableOperation retrieve = TableOperation.retrieve("Sales", "000123", Employee.class);
    boolean done = false;
    while (!done) {
      Employee jones = table.execute(retrieve).getResultAsType();
      jones.setAge(jones.getAge() + 1);
      try {
        table.execute(TableOperation.replace(jones));
        done = true;
      } catch (StorageException e) {
        if (e.getHttpStatusCode() != 412) {
          throw e;
        }
      }
    }
  }

  static List<String> query(CloudTable table) {
    String sales =
        TableQuery.generateFilterCondition("PartitionKey", QueryComparisons.EQUAL, "Sales");
    String older =
        TableQuery.generateFilterCondition("Age", QueryComparisons.GREATER_THAN_OR_EQUAL, 30);
    String both = TableQuery.combineFilters(sales, Operators.AND, older);
    TableQuery<Employee> query = TableQuery.from(Employee.class).where(both);
    query.take(1);
    List<String> names = new ArrayList<>();
    for (Employee employee : table.execute(query)) {
      names.add(employee.getLastName());
    }
    return names;
  }

  static List<Employee> projected(CloudTable table) {
    TableQuery<Employee> query = TableQuery.from(Employee.class);
    query.select(new String[] {"LastName"});
    List<Employee> projected = new ArrayList<>();
    table.execute(query).forEach(projected::add);
    return projected;
  }

  static int pages(CloudTable table) throws StorageException {
    TableQuery<Employee> query = TableQuery.from(Employee.class).take(1);
    int pages = 0;
    ResultContinuation token = null;
    do {
      ResultSegment<Employee> page = table.executeSegmented(query, token);
      pages += page.getResults().size();
      token = page.getContinuationToken();
    } while (token != null);
    return pages;
  }

  @SuppressWarnings("NullAway") // The property is there.
  static List<String> resolved(CloudTable table) {
    TableQuery<Employee> query = TableQuery.from(Employee.class);
    query.select(new String[] {"LastName"});
    EntityResolver<String> lastNames =
        (partitionKey, rowKey, timestamp, properties, eTag) ->
            properties.get("LastName").getValueAsString();
    List<String> names = new ArrayList<>();
    for (String name : table.execute(query, lastNames)) {
      names.add(name);
    }
    return names;
  }

  @SuppressWarnings("NullAway") // The property is there.
  static int dynamicAge(CloudTable table) throws StorageException {
    TableOperation retrieve = TableOperation.retrieve("Sales", "000123", DynamicTableEntity.class);
    DynamicTableEntity entity = table.execute(retrieve).getResultAsType();
    entity.getProperties().put("Floor", new EntityProperty(2));
    table.execute(TableOperation.merge(entity));
    int age = entity.getProperties().get("Age").getValueAsInteger();
    return age;
  }

  static void batch(CloudTable table, Employee smith, Employee jones) throws StorageException {
    TableBatchOperation batch = new TableBatchOperation();
    batch.insert(smith);
    batch.insertOrMerge(jones);
    table.execute(batch);
  }

  static void options(CloudTable table, Employee jones) throws StorageException {
    TableRequestOptions options = new TableRequestOptions();
    options.setRetryPolicyFactory(new RetryExponentialRetry(1_000, 5));
    options.setTimeoutIntervalInMs(10_000);
    table.execute(TableOperation.insertOrReplace(jones), options, null);
  }
}
