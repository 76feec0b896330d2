/** The parts of a blob request: address, conditions, ranges, checksums and settings. */
@NullMarked
package io.lazuli.server.blob.request;

import org.jspecify.annotations.NullMarked;
