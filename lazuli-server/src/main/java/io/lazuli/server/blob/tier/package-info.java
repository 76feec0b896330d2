/** The access tiers of blobs, and the way out of the archive. */
@NullMarked
package io.lazuli.server.blob.tier;

import org.jspecify.annotations.NullMarked;
