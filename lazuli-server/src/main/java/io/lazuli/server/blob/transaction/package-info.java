/** The transactions on a blob's partition, and their results. */
@NullMarked
package io.lazuli.server.blob.transaction;

import org.jspecify.annotations.NullMarked;
