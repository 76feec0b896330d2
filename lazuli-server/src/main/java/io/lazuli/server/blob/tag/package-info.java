/** Conditions on the tags of blobs: their text, and whether tags meet them. */
@NullMarked
package io.lazuli.server.blob.tag;

import org.jspecify.annotations.NullMarked;
