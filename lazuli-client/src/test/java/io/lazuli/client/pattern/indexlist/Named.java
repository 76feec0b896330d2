package io.lazuli.client.pattern.indexlist;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;

/** The guide's employee, listed by last name. */
record Named(@PartitionKey String department, @RowKey String id, String lastName, int age) {
  static final Named JONES = new Named("Sales", "000152", "Jones", 40);
  static final Named OTHER_JONES = new Named("Sales", "000223", "Jones", 30);

  EntityKey key() {
    return new EntityKey(department, id);
  }

  Named withName(String other) {
    return new Named(department, id, other, age);
  }

  Named withAge(int other) {
    return new Named(department, id, lastName, other);
  }

  Named withId(String other) {
    return new Named(department, other, lastName, age);
  }
}
