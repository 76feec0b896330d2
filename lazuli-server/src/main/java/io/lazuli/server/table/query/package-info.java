/** Turns a filter into key ranges to read. */
@NullMarked
package io.lazuli.server.table.query;

import org.jspecify.annotations.NullMarked;
