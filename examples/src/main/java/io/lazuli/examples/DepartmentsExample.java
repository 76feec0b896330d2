package io.lazuli.examples;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.pattern.copies.AsyncDetailCopies;
import io.lazuli.client.pattern.copies.DetailCopies;
import io.lazuli.client.pattern.relation.AsyncOneToMany;
import io.lazuli.client.pattern.relation.OneToMany;
import io.lazuli.client.table.AlreadyExists;
import java.util.Optional;
import java.util.Set;

/**
 * The departments of the Table Design Guide: each has the number of its employees and the e-mail
 * address of its manager, so that one request shows both. Takes a connection string.
 */
public final class DepartmentsExample {
  private static final String ROW = "department";

  /** An employee, in the partition of the department. */
  public record Employee(
      @PartitionKey String department, @RowKey String id, String lastName, String email) {
    Employee withEmail(String other) {
      return new Employee(department, id, lastName, other);
    }
  }

  /** A department, with details of its manager, who is also an employee. */
  public record Department(
      @PartitionKey String name,
      @RowKey String row,
      long employeeCount,
      Optional<String> managerId,
      Optional<String> managerEmail) {
    Department managedBy(Optional<Employee> manager) {
      return new Department(
          name, row, employeeCount, manager.map(Employee::id), manager.map(Employee::email));
    }
  }

  private final OneToMany<Department, Employee> staff;
  private final DetailCopies<Employee, Department> managers;

  public DepartmentsExample(Account account) {
    TableAsyncClient table = account.table("Departments");
    EntityCodec<Department> departments = EntityCodec.of(Department.class);
    EntityCodec<Employee> employees = EntityCodec.of(Employee.class);
    // snippet
    staff =
        AsyncOneToMany.of(table, departments, employees, "EmployeeCount", "empid_", employee -> ROW)
            .blocking();
    // end
    managers =
        AsyncDetailCopies.of(
                table,
                employees,
                departments,
                employee -> Set.of(ROW), // rows that may hold an employee's details
                Department::managerId, // the row key of its manager
                Department::managedBy)
            .blocking();
  }

  public static void main(String[] args) {
    DepartmentsExample example = new DepartmentsExample(Account.of(args));
    example.found("Sales");
    example.hire("Sales", "000101", "Kwok");
    example.hire("Sales", "000102", "Cao");
    example.appoint("Sales", "000102");
    example.changeEmail("Sales", "000102", "jun@contoso.com");
    Department sales = example.department("Sales");
    System.out.println(sales.employeeCount() + " employees, " + sales.managerEmail().orElse("-"));
  }

  public void found(String department) {
    try {
      staff.insertParent(new Department(department, ROW, 0, Optional.empty(), Optional.empty()));
    } catch (AlreadyExists e) {
      // An earlier run created it, with its employees.
    }
  }

  /**
   * Stores the employee and the department's count, or neither. Returns false if the id is taken.
   */
  public boolean hire(String department, String id, String lastName) {
    String email = lastName + "@contoso.com";
    try {
      staff.insertChild(new Employee(department, "empid_" + id, lastName, email));
      return true;
    } catch (AlreadyExists e) {
      return false;
    }
  }

  /** Copies the details of this manager to the department. */
  public void appoint(String department, String id) {
    managers.assign(new EntityKey(department, ROW), "empid_" + id);
  }

  /** Changes the employee and, for the manager, also the department; both or neither. */
  public void changeEmail(String department, String id, String email) {
    // snippet
    EntityKey key = new EntityKey(department, "empid_" + id);
    managers.updateOriginal(key, employee -> employee.withEmail(email));
    // end
  }

  public Department department(String name) {
    return staff.parent(new EntityKey(name, ROW)).orElseThrow();
  }
}
