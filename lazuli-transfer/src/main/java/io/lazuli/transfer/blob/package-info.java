/** Transfers of containers and their blobs. */
@NullMarked
package io.lazuli.transfer.blob;

import org.jspecify.annotations.NullMarked;
