/**
 * Attacks on the packed server, which runs with little memory, while a legitimate client keeps
 * working. docs/testing.md describes the suite and shows its figures.
 */
@NullMarked
package io.lazuli.conformance.siege;

import org.jspecify.annotations.NullMarked;
