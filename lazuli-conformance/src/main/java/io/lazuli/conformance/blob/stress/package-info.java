/**
 * Cases of the blob service under stress: many clients at once, and servers that are killed and
 * restarted.
 */
@NullMarked
package io.lazuli.conformance.blob.stress;

import org.jspecify.annotations.NullMarked;
