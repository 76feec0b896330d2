/** The words of the table service: names, keys, typed values, operations, outcomes. */
@NullMarked
package io.lazuli.server.table.model;

import org.jspecify.annotations.NullMarked;
