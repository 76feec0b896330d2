/**
 * Helpers for the cases of all services that do not speak HTTP themselves: waiting, crowds of
 * threads, the memory of a server, and errors of the previous official client.
 */
@NullMarked
package io.lazuli.conformance.support;

import org.jspecify.annotations.NullMarked;
