package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;

/** The employee of the guide's example. */
public record Employee(
    @PartitionKey String department, @RowKey String id, String email, int salary) {
  public static final Employee JONES = new Employee("Sales", "000223", "jonesj@contoso.com", 1);

  public EntityKey key() {
    return new EntityKey(department, id);
  }

  public Employee withSalary(int other) {
    return new Employee(department, id, email, other);
  }

  public Employee withEmail(String other) {
    return new Employee(department, id, other, salary);
  }

  public Employee withDepartment(String other) {
    return new Employee(other, id, email, salary);
  }
}
