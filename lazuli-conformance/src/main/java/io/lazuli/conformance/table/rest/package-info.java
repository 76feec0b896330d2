/**
 * Cases of the table service over raw HTTP: exact bytes, and requests no official client would
 * send.
 */
@NullMarked
package io.lazuli.conformance.table.rest;

import org.jspecify.annotations.NullMarked;
