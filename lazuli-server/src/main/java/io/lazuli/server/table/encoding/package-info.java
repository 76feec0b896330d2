/** How an entity becomes ordered bytes, and back. */
@NullMarked
package io.lazuli.server.table.encoding;

import org.jspecify.annotations.NullMarked;
