/** The index of the tags of a container's blobs: how it is kept, and how it is searched. */
@NullMarked
package io.lazuli.server.blob.index;

import org.jspecify.annotations.NullMarked;
