/** The values of page blobs: pages, extents, ranges and sequence numbers. */
@NullMarked
package io.lazuli.server.blob.page;

import org.jspecify.annotations.NullMarked;
