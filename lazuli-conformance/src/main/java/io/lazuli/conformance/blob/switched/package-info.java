/** Cases about features of blobs that an operator switches on, each on a server of its own. */
@NullMarked
package io.lazuli.conformance.blob.switched;

import org.jspecify.annotations.NullMarked;
