/** One blob's partition: its rows as they are read outside of a transaction and inside one. */
@NullMarked
package io.lazuli.server.blob.partition;

import org.jspecify.annotations.NullMarked;
