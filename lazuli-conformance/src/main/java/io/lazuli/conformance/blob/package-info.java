/**
 * The blob service: the scratch container that its cases work on, and helpers that several kinds of
 * cases share. The cases are in the packages below.
 */
@NullMarked
package io.lazuli.conformance.blob;

import org.jspecify.annotations.NullMarked;
