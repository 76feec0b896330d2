/** From a filter to the key ranges that must be read. */
@NullMarked
package io.lazuli.server.table.query;

import org.jspecify.annotations.NullMarked;
