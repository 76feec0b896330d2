package io.lazuli.examples;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.indexlist.AsyncListedTable;
import io.lazuli.client.pattern.indexlist.ListedTable;
import io.lazuli.client.table.AsyncTable;
import java.util.List;
import java.util.Optional;

/**
 * Lists of keys as an index: for each last name, an entity of the department lists the ids of the
 * employees with that name. One transaction writes the employee and the lists. Takes a connection
 * string.
 */
public final class LastNamesExample {
  /** A department is a partition. */
  public record Employee(@PartitionKey String department, @RowKey String id, String lastName) {}

  private final ListedTable<Employee> employees;

  public LastNamesExample(Account account) {
    AsyncTable<Employee> table = AsyncTable.of(account.table("ListedEmployees"), Employee.class);
    employees =
        AsyncListedTable.of(table)
            .listedBy("lastname_", employee -> Optional.of(employee.lastName()))
            .blocking();
  }

  public static void main(String[] args) {
    LastNamesExample example = new LastNamesExample(Account.of(args));
    example.hire(new Employee("Sales", "000152", "Jones"));
    example.hire(new Employee("Sales", "000223", "Jones"));
    example.hire(new Employee("Sales", "000301", "Smith"));
    System.out.println("Jones: " + example.ids("Sales", "Jones"));
    example.marry(new EntityKey("Sales", "000301"), "Jones");
    System.out.println("Jones: " + example.ids("Sales", "Jones"));
    System.out.println("Smith: " + example.ids("Sales", "Smith"));
  }

  /** Stores the employee and adds the id to the list, or does neither. */
  public void hire(Employee employee) {
    employees.put(employee);
  }

  /** Reads one entity, however many employees there are. */
  public List<String> ids(String department, String lastName) {
    return employees.keys(department, "lastname_", lastName).stream().sorted().toList();
  }

  /** Changes the employee and both lists, or nothing. */
  public void marry(EntityKey key, String lastName) {
    employees.update(key, old -> new Employee(old.department(), old.id(), lastName));
  }
}
