package io.lazuli.benchmarks.mapping;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import java.time.Instant;
import java.util.UUID;

/** The guide's employee, with properties of most types. */
public record Employee(
    @PartitionKey String department,
    @RowKey String id,
    String firstName,
    String lastName,
    int age,
    long salary,
    double rating,
    boolean active,
    Instant hired,
    UUID badge) {}
