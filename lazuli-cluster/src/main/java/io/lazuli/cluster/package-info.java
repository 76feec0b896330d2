/** Starts and stops a real HBase cluster on loopback, each role a process of its own. */
@NullMarked
package io.lazuli.cluster;

import org.jspecify.annotations.NullMarked;
