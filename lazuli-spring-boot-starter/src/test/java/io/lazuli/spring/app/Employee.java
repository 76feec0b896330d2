package io.lazuli.spring.app;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.spring.StoredIn;

/** An entity type of an application. */
@StoredIn("${prefix:}Employees")
public record Employee(@PartitionKey String department, @RowKey String id, String lastName) {}
