/** The removal of content that no blob, snapshot or upload refers to any more. */
@NullMarked
package io.lazuli.server.blob.garbage;

import org.jspecify.annotations.NullMarked;
