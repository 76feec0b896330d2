package io.lazuli.examples;

import static io.lazuli.client.query.Filter.property;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.index.AsyncIndexedTable;
import io.lazuli.client.pattern.index.IndexedTable;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The employees of the Table Design Guide: typed entities, the four kinds of query, and an index by
 * e-mail address within each department. Takes a connection string.
 */
public final class EmployeesExample {
  private static final List<String> DEPARTMENTS = List.of("Finance", "HR", "Marketing", "Sales");
  private static final List<String> NAMES = List.of("Cao", "Hall", "Jones", "Kwok", "Smith");

  // snippet
  /** A department is a partition. */
  public record Employee(
      @PartitionKey String department, @RowKey String id, String lastName, int age, String email) {}

  // end

  private final Table<Employee> table;
  private final IndexedTable<Employee> indexed;

  public EmployeesExample(Account account) {
    table = Table.of(account.table("Employees"), Employee.class);
    AsyncTable<Employee> employees =
        AsyncTable.of(account.table("IndexedEmployees"), Employee.class);
    // snippet
    indexed =
        AsyncIndexedTable.of(employees, "empid_")
            .indexedBy("email_", employee -> Optional.of(employee.email()))
            .blocking();
    // end
  }

  public static void main(String[] args) {
    EmployeesExample example = new EmployeesExample(Account.of(args));
    example.hire(20);
    for (Query query : queries()) {
      long found = example.employees().query(query).count();
      System.out.println(query.explain().kind() + ": " + found);
    }
    example.hireIndexed(employee("Sales", 223, "Jones"));
    System.out.println(example.byEmail("Sales", "Jones223@contoso.com").orElseThrow().lastName());
  }

  /**
   * Stores this many employees in each department. They need not be stored all or none, so batches
   * are enough.
   */
  public int hire(int each) {
    List<Write<Employee>> writes = new ArrayList<>();
    for (String department : DEPARTMENTS) {
      for (int id = 0; id < each; id++) {
        writes.add(Write.upsertReplace(employee(department, id, NAMES.get(id % NAMES.size()))));
      }
    }
    return table.inChunks(writes, DEPARTMENTS.size());
  }

  public static Employee employee(String department, int id, String lastName) {
    String email = lastName + id + "@contoso.com";
    return new Employee(department, String.format("%06d", id), lastName, 20 + id % 45, email);
  }

  public Table<Employee> employees() {
    return table;
  }

  /** Returns one query of each kind, the cheapest first. */
  public static List<Query> queries() {
    // snippet
    Query point = Query.point(new EntityKey("Sales", "000012"));
    Query range = Query.prefix("Sales", "00001");
    Query partition = Query.partition("Sales").and(property("LastName").eq("Jones"));
    Query all = Query.where(property("LastName").eq("Jones"));
    // end
    return List.of(point, range, partition, all);
  }

  /** Stores both copies, or neither. */
  public void hireIndexed(Employee employee) {
    indexed.put(employee);
  }

  public Optional<Employee> byEmail(String department, String email) {
    // snippet
    Optional<Employee> found = indexed.by("email_").find(department, email);
    // end
    return found;
  }

  /** Changes both copies, or neither. */
  public Employee marry(EntityKey key, String lastName) {
    return indexed.update(
        key, old -> new Employee(old.department(), old.id(), lastName, old.age(), old.email()));
  }
}
