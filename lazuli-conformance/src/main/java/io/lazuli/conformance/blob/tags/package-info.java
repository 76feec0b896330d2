/** Cases of the Blob service about tags: searches, and conditions on requests. */
@NullMarked
package io.lazuli.conformance.blob.tags;

import org.jspecify.annotations.NullMarked;
