/**
 * The queue service: the scratch queue that its cases work on, and the messages it returns. The
 * cases are in the packages below.
 */
@NullMarked
package io.lazuli.conformance.queue;

import org.jspecify.annotations.NullMarked;
