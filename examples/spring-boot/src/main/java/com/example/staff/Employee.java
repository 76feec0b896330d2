package com.example.staff;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.spring.StoredIn;

/** A department is a partition. */
@StoredIn("Employees")
public record Employee(@PartitionKey String department, @RowKey String id, String lastName) {}
