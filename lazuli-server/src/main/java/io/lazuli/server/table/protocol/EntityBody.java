package io.lazuli.server.table.protocol;

import io.lazuli.server.table.model.Property;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entity as a body gives it.
 *
 * @param partitionKey null if it was not sent or was null
 * @param rowKey null if it was not sent or was null
 * @param properties the others, in the order sent, without those that were null
 */
public record EntityBody(
    @Nullable String partitionKey, @Nullable String rowKey, List<Property> properties) {}
