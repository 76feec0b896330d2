/** The values of the blob service: names, properties, blocks, leases, limits and errors. */
@NullMarked
package io.lazuli.server.blob.model;

import org.jspecify.annotations.NullMarked;
