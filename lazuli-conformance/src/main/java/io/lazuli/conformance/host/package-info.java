/**
 * What well-known programs send, in the order in which they send it, and what they rely on in the
 * answers. The evidence of each case is the public source that shows it.
 */
@NullMarked
package io.lazuli.conformance.host;

import org.jspecify.annotations.NullMarked;
