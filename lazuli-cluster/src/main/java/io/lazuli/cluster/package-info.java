/** Starts and stops a real HBase cluster on loopback, with one process for each role. */
@NullMarked
package io.lazuli.cluster;

import org.jspecify.annotations.NullMarked;
