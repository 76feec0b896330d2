package io.lazuli.client.halt;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;

/** The employee of most workloads. */
record Employee(@PartitionKey String department, @RowKey String id, String email, int age) {
  EntityKey key() {
    return new EntityKey(department, id);
  }

  Employee withEmail(String other) {
    return new Employee(department, id, other, age);
  }

  Employee withAge(int other) {
    return new Employee(department, id, email, other);
  }

  Employee in(String other) {
    return new Employee(other, id, email, age);
  }
}
