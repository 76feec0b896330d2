/** Files of entities: JSON Lines and CSV. */
@NullMarked
package io.lazuli.transfer.format;

import org.jspecify.annotations.NullMarked;
