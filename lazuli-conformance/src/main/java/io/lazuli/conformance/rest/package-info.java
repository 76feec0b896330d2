/** Cases over plain HTTP: exact bytes, and what no official client would send. */
@NullMarked
package io.lazuli.conformance.rest;

import org.jspecify.annotations.NullMarked;
