/** The values of the table service: names, keys, typed properties, limits and errors. */
@NullMarked
package io.lazuli.server.table.model;

import org.jspecify.annotations.NullMarked;
