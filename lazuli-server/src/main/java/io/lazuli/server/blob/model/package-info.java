/** The words of the blob service: names, conditions, leases, checksums, ranges, errors. */
@NullMarked
package io.lazuli.server.blob.model;

import org.jspecify.annotations.NullMarked;
