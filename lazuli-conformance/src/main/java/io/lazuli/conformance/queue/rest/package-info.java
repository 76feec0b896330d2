/**
 * Cases of the queue service over raw HTTP: exact bytes, and requests no official client would
 * send.
 */
@NullMarked
package io.lazuli.conformance.queue.rest;

import org.jspecify.annotations.NullMarked;
