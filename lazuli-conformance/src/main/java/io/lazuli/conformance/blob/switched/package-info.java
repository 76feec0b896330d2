/** Cases about features of blobs that are switched on, most of them on a server of their own. */
@NullMarked
package io.lazuli.conformance.blob.switched;

import org.jspecify.annotations.NullMarked;
