/** The HTTP endpoint of the table service: OData text, JSON and batches. */
@NullMarked
package io.lazuli.server.table.protocol;

import org.jspecify.annotations.NullMarked;
