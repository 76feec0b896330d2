/** The stored pages of page blobs: how they are written, cleared, copied and read. */
@NullMarked
package io.lazuli.server.blob.sparse;

import org.jspecify.annotations.NullMarked;
