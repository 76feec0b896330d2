/** What keeps blobs from being lost: soft delete, immutability policies and legal holds. */
@NullMarked
package io.lazuli.server.blob.protection;

import org.jspecify.annotations.NullMarked;
