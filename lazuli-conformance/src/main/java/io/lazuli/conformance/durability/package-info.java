/** Cases that kill and restart a server of their own. */
@NullMarked
package io.lazuli.conformance.durability;

import org.jspecify.annotations.NullMarked;
