/**
 * Proposes keys and patterns of the Table Design Guide for entities and the accesses that a program
 * makes (docs/model.md). Pure functions: the same model always gives the same proposals.
 */
@NullMarked
package io.lazuli.server.design;

import org.jspecify.annotations.NullMarked;
