/**
 * Cases of the table service under stress: many clients at once, long random histories that are
 * compared with a model, and servers that are killed and restarted.
 */
@NullMarked
package io.lazuli.conformance.table.stress;

import org.jspecify.annotations.NullMarked;
