/**
 * A small HTTP client for the cases of all services. It sends exactly the bytes it is given, shows
 * exactly the bytes that came back, and signs requests like the official clients do.
 */
@NullMarked
package io.lazuli.conformance.wire;

import org.jspecify.annotations.NullMarked;
