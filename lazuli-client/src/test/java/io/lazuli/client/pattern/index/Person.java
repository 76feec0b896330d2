package io.lazuli.client.pattern.index;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;

/** The guide's employee, indexed by id and by e-mail address. */
record Person(
    @PartitionKey String department, @RowKey String id, String name, String email, int age) {
  static final Person JONES = new Person("Sales", "000223", "Jun Jones", "jonesj@contoso.com", 40);
  static final Person SMITH = new Person("Sales", "000224", "Sam Smith", "smiths@contoso.com", 50);

  EntityKey key() {
    return new EntityKey(department, id);
  }

  Person withEmail(String other) {
    return new Person(department, id, name, other, age);
  }

  Person withAge(int other) {
    return new Person(department, id, name, email, other);
  }
}
