/** A discrete-event model of a cluster, to compute what no test machine is large enough for. */
@NullMarked
package io.lazuli.cluster.simulation;

import org.jspecify.annotations.NullMarked;
