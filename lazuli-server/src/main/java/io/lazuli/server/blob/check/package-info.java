/** Checks of stored blobs: their states, their content and the indexes of a container. */
@NullMarked
package io.lazuli.server.blob.check;

import org.jspecify.annotations.NullMarked;
