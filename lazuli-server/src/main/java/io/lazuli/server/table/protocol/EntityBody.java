package io.lazuli.server.table.protocol;

import io.lazuli.server.table.model.Property;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entity in a request body.
 *
 * @param partitionKey null if the body has no PartitionKey, or a null value
 * @param rowKey null if the body has no RowKey, or a null value
 * @param properties the other properties in the order of the body, without null values
 */
public record EntityBody(
    @Nullable String partitionKey, @Nullable String rowKey, List<Property> properties) {}
