/** The HTTP endpoint of the blob service. */
@NullMarked
package io.lazuli.server.blob.protocol;

import org.jspecify.annotations.NullMarked;
