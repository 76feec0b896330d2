/** The table service on the wire: OData text, JSON, batches. */
@NullMarked
package io.lazuli.server.table.protocol;

import org.jspecify.annotations.NullMarked;
