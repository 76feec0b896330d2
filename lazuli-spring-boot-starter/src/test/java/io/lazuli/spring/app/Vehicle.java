package io.lazuli.spring.app;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.entity.TypeName;
import io.lazuli.spring.StoredIn;

/** A sealed family that shares a table. */
@StoredIn("Vehicles")
public sealed interface Vehicle {
  /** A kind of vehicle. */
  @TypeName("Car")
  record Car(@PartitionKey String owner, @RowKey String plate, int doors) implements Vehicle {}

  /** Another one. */
  @TypeName("Bike")
  record Bike(@PartitionKey String owner, @RowKey String plate, String colour) implements Vehicle {}
}
