/** An engine that keeps every promise but one: it keeps nothing when it is closed. */
@NullMarked
package io.lazuli.storage.memory;

import org.jspecify.annotations.NullMarked;
