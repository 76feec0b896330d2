package io.lazuli.examples.migration;

import static io.lazuli.client.query.Filter.partitionKey;
import static io.lazuli.client.query.Filter.property;
import static io.lazuli.client.table.Write.insert;
import static io.lazuli.client.table.Write.upsertMerge;

import com.azure.core.http.policy.ExponentialBackoffOptions;
import com.azure.core.http.policy.RetryOptions;
import com.azure.core.util.HttpClientOptions;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.ETag;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.Name;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import io.lazuli.client.query.Token;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The code of {@code docs/migration.md} with the client library: the right side. */
final class Now {
  private Now() {}

  record Employee(
      @PartitionKey String department,
      @RowKey String id,
      String lastName,
      int age,
      @Name("mail") String email,
      Optional<Instant> hired,
      @ETag @Nullable String eTag) {

    boolean senior() {
      return age >= 50;
    }

    Employee afterBirthday() {
      return new Employee(department, id, lastName, age + 1, email, hired, eTag);
    }
  }

  record LastName(@PartitionKey String department, @RowKey String id, String lastName) {}

  static Employee employee(String id, String lastName) {
    String email = lastName + "@contoso.com";
    return new Employee("Sales", id, lastName, 30, email, Optional.empty(), null);
  }

  static Table<Employee> connect(String connection) {
    TableServiceClient account =
        new TableServiceClientBuilder().connectionString(connection).buildClient();
    TableClient table = account.createTableIfNotExists("Employees");
    Table<Employee> employees = Table.of(table, Employee.class);
    return employees;
  }

  static void writes(Table<Employee> employees, Employee jones) {
    Employee inserted = employees.insert(jones);
    Employee replaced = employees.replace(inserted);
    employees.merge(replaced);
    employees.replace(jones, Condition.any());
    employees.upsertReplace(jones);
    employees.upsertMerge(jones);
  }

  static void delete(Table<Employee> employees, Employee jones) {
    String eTag = jones.eTag();
    if (eTag != null) {
      EntityKey key = new EntityKey("Sales", "000123");
      employees.delete(key, Condition.eTag(eTag));
    }
  }

  static boolean deleteIfExists(Table<Employee> employees) {
    EntityKey key = new EntityKey("Sales", "000123");
    boolean wasThere = employees.deleteIfExists(key);
    return wasThere;
  }

  static Optional<Employee> find(Table<Employee> employees) {
    Optional<Employee> found = employees.find(new EntityKey("Sales", "000123"));
    return found;
  }

  static void birthday(Table<Employee> employees) {
    employees.update(new EntityKey("Sales", "000123"), Employee::afterBirthday);
  }

  static List<String> query(Table<Employee> employees) {
    Filter sales = partitionKey().eq("Sales");
    Filter older = property(employees.codec(), Employee::age).ge(30);
    Filter both = sales.and(older);
    Query query = Query.where(both);
    Query small = query.segmentSize(1);
    List<String> names = new ArrayList<>();
    try (Stream<Employee> found = employees.query(small)) {
      found.forEach(employee -> names.add(employee.lastName()));
    }
    return names;
  }

  static List<LastName> projected(Table<Employee> employees) {
    Query query = Query.all().select("LastName");
    Table<LastName> lastNames = employees.as(EntityCodec.of(LastName.class));
    return lastNames.query(query).toList();
  }

  static int pages(Table<Employee> employees) {
    Query query = Query.all().segmentSize(1);
    int pages = 0;
    Token token = null;
    do {
      Segment<Employee> page = employees.segment(query, token);
      pages += page.values().size();
      token = page.next();
    } while (token != null);
    return pages;
  }

  static List<String> resolved(Table<Employee> employees) {
    Query query = Query.all().select("LastName");
    List<String> names = new ArrayList<>();
    Table<LastName> lastNames = employees.as(EntityCodec.of(LastName.class));
    try (Stream<LastName> found = lastNames.query(query)) {
      found.forEach(entity -> names.add(entity.lastName()));
    }
    return names;
  }

  static int dynamicAge(Table<Employee> employees) {
    Table<TableEntity> entities = employees.as(EntityCodec.dynamic());
    TableEntity entity = entities.find(new EntityKey("Sales", "000123")).orElseThrow();
    entity.addProperty("Floor", 2);
    entities.merge(entity);
    int age = (Integer) entity.getProperty("Age");
    return age;
  }

  static void batch(Table<Employee> employees, Employee smith, Employee jones) {
    employees.batch(Batch.of(insert(smith), upsertMerge(jones)));
  }

  static TableServiceClientBuilder options(String connection) {
    ExponentialBackoffOptions retries = new ExponentialBackoffOptions().setMaxRetries(5);
    HttpClientOptions timeouts = new HttpClientOptions().setResponseTimeout(Duration.ofSeconds(10));
    return new TableServiceClientBuilder()
        .connectionString(connection)
        .retryOptions(new RetryOptions(retries))
        .clientOptions(timeouts);
  }
}
