/**
 * Cases of the queue service under stress: crowds of consumers, and servers that are killed and
 * restarted.
 */
@NullMarked
package io.lazuli.conformance.queue.stress;

import org.jspecify.annotations.NullMarked;
