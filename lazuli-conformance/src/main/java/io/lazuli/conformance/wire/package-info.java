/**
 * A small HTTP client that sends exactly the bytes it is told to and shows exactly the bytes that
 * came back, signed like the official clients sign.
 */
@NullMarked
package io.lazuli.conformance.wire;

import org.jspecify.annotations.NullMarked;
