/** How blobs, their blocks and their containers become ordered bytes, and back. */
@NullMarked
package io.lazuli.server.blob.encoding;

import org.jspecify.annotations.NullMarked;
