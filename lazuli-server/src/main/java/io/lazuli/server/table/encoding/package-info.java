/** The stored form of entities. */
@NullMarked
package io.lazuli.server.table.encoding;

import org.jspecify.annotations.NullMarked;
