/** A proxy that hands requests to several servers in turn. */
@NullMarked
package io.lazuli.conformance.turns;

import org.jspecify.annotations.NullMarked;
