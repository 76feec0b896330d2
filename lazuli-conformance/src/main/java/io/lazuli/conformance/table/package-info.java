/**
 * The table service: the scratch table that its cases work on. The cases are in the packages below.
 */
@NullMarked
package io.lazuli.conformance.table;

import org.jspecify.annotations.NullMarked;
