/** The stored form of blobs, their blocks and their containers. */
@NullMarked
package io.lazuli.server.blob.encoding;

import org.jspecify.annotations.NullMarked;
