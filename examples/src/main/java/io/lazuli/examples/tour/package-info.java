/**
 * {@code lazuli tour}: starts a server and walks through the scenarios of the Table Design Guide,
 * showing the requests that they make, and ends with a kill that loses nothing.
 */
@NullMarked
package io.lazuli.examples.tour;

import org.jspecify.annotations.NullMarked;
