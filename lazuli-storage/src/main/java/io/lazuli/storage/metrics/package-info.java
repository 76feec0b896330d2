/** Numbers about a running engine: how they are counted, and how somebody reads them. */
@NullMarked
package io.lazuli.storage.metrics;

import org.jspecify.annotations.NullMarked;
