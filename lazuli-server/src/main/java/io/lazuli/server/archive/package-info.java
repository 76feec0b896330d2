/** Archives the changes of a running server, so that any point in time can be restored. */
@NullMarked
package io.lazuli.server.archive;

import org.jspecify.annotations.NullMarked;
