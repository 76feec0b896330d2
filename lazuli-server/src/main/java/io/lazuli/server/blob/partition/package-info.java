/**
 * The rows of one blob's partition, as they are read and written inside and outside of
 * transactions.
 */
@NullMarked
package io.lazuli.server.blob.partition;

import org.jspecify.annotations.NullMarked;
