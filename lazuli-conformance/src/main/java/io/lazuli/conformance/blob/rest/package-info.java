/**
 * Cases of the blob service over raw HTTP: exact bytes, and requests no official client would send.
 */
@NullMarked
package io.lazuli.conformance.blob.rest;

import org.jspecify.annotations.NullMarked;
