package io.lazuli.examples;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.lookup.AsyncLookup;
import io.lazuli.client.pattern.lookup.Lookup;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.util.List;

/**
 * A lookup cache: employees refer to departments. There are few departments, so they are fetched
 * once, and a join in the client costs no further request. Takes a connection string.
 */
public final class FloorsExample {
  /** All departments of a company are in one partition. */
  public record Department(@PartitionKey String company, @RowKey String name, int floor) {}

  /** An employee refers to a department by its name. */
  public record Employee(@PartitionKey String department, @RowKey String id, String lastName) {}

  private final Table<Department> departments;
  private final Table<Employee> employees;
  private final Lookup<String, Department> cached;

  public FloorsExample(Account account) {
    departments = Table.of(account.table("Floors"), Department.class);
    employees = Table.of(account.table("FloorEmployees"), Employee.class);
    cached =
        AsyncLookup.of(departments.async(), Query.partition("Contoso"), Department::name)
            .blocking();
  }

  public static void main(String[] args) {
    FloorsExample example = new FloorsExample(Account.of(args));
    example.store();
    example.floors().forEach(System.out::println);
  }

  public void store() {
    departments.upsertReplace(new Department("Contoso", "Marketing", 2));
    departments.upsertReplace(new Department("Contoso", "Sales", 1));
    employees.upsertReplace(new Employee("Marketing", "000101", "Hall"));
    employees.upsertReplace(new Employee("Sales", "000123", "Jones"));
    employees.upsertReplace(new Employee("Travel", "000140", "Cao"));
  }

  /** Returns where each employee works. Sends one query for employees and one for departments. */
  public List<String> floors() {
    return employees.query(Query.all()).map(this::floor).toList();
  }

  private String floor(Employee employee) {
    String floor =
        cached
            .find(employee.department())
            .map(department -> "floor " + department.floor())
            .orElse("unknown floor");
    return employee.lastName() + ": " + floor;
  }
}
